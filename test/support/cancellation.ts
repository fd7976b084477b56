/** Cancelling bookings with a settlement, as tests do it. */
import { bookingOf, type CallOptions, call } from './api.ts';

export const CANCELLATION = '/booking/v1/cancellation';

/** A policy that keeps an amount of a booking whatever the day. */
export const keeping = (keep: object) => ({ cancellationPolicy: { rules: [{ keep }] } });

/** Saves a booking with a policy of its own. */
export async function bookedWith(
  reference: string,
  keep: object,
  details: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<void> {
  const body = bookingOf(reference, { ...keeping(keep), ...details });
  const answer = await call('/booking/v1/create/manage-payments', body, options);
  if (answer.status !== 200) throw new Error(`no booking: ${JSON.stringify(answer.json)}`);
}

/** The quote of a cancellation. */
export async function cancellationOf(
  reference: string,
  more: object = {},
  options: CallOptions = {},
) {
  const body = { reference, reason: 'guest', ...more };
  const { json, status } = await call(`${CANCELLATION}/quote`, body, options);
  if (status !== 200) throw new Error(`no quote: ${JSON.stringify(json)}`);
  return json.cancellation;
}

/** Applies a quote. */
export function applied(
  reference: string,
  cancellationQuoteId: string,
  key?: string,
  options: CallOptions = {},
) {
  const headers = key === undefined ? {} : { headers: { 'Idempotency-Key': key } };
  const body = { reference, cancellationQuoteId };
  return call(`${CANCELLATION}/apply`, body, { ...headers, ...options });
}

/** The settlement of a booking as it is now. */
export async function settlementOf(reference: string, options: CallOptions = {}) {
  return (await call(`${CANCELLATION}/get`, { reference }, options)).json.settlement;
}

/** What does not agree of a settlement that ought to have ended. */
export async function unsettled(reference: string): Promise<string[]> {
  const settlement = await settlementOf(reference);
  // It was cut off before anything was recorded.
  if (settlement === undefined) return [];
  const { captured, charged, kept, refunded, status } = settlement;
  const { balance } = (await call('/payment/v1/balance', { reference })).json;
  return [
    ...(status === 'settling' ? ['it is still settling'] : []),
    ...(Math.abs(balance.paid - kept) > 1e-6 ? [`kept ${kept}, but paid is ${balance.paid}`] : []),
    ...(balance.held + balance.scheduled + balance.uncertain > 0 ? ['something is open'] : []),
    ...(kept < 0 || charged < 0 || captured < 0 || refunded < 0 ? ['a sum is below 0'] : []),
  ];
}
