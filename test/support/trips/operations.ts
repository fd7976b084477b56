/** Operations of which trips to D1 are counted. */

import type { AnswerBody } from '../answers.ts';
import { call } from '../api.ts';

/** Makes a booking of this reference ready, and returns what is counted. */
export type Operation = (reference: string) => Promise<() => Promise<unknown>>;

/** Calls the service; what is counted must have happened. */
export async function done(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<AnswerBody> {
  const { json, status } = await call(path, body, { headers });
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(json)}`);
  return json;
}

/** An operation that needs nothing but a booking that `prepare` makes. */
export function on(
  prepare: (reference: string) => Promise<unknown>,
  run: (reference: string) => Promise<unknown>,
): Operation {
  return async (reference) => {
    await prepare(reference);
    return () => run(reference);
  };
}

/** An operation that names the number of a payment that `prepare` makes. */
export function onPayment(
  prepare: (reference: string) => Promise<number>,
  run: (reference: string, chargeId: number) => Promise<unknown>,
): Operation {
  return async (reference) => {
    const chargeId = await prepare(reference);
    return () => run(reference, chargeId);
  };
}
