import { ok } from '../core/result.ts';
import type { Answered } from '../operation/idempotency.ts';

/** Puts `success` before the members of a booking object's answer. */
export function withSuccess<T extends object>(
  answered: Answered<T>,
): Answered<{ readonly success: true } & T> {
  const { answer } = answered;
  return { ...answered, answer: answer.ok ? ok({ success: true, ...answer.value }) : answer };
}
