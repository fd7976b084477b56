import { ok } from '../core/result.ts';
import type { Answered } from '../idempotency/actions.ts';
import type { Handled } from './operation.ts';

/** An object's answer with `success` before it. */
export function succeeded<T extends object>(answered: Answered<T>): Handled {
  const { answer } = answered;
  return { ...answered, answer: answer.ok ? ok({ success: true, ...answer.value }) : answer };
}
