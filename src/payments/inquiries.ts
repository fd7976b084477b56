import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../core/time.ts';

/** How long after an attempt, and after each inquiry, an unknown outcome is asked for again. */
const INQUIRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
] as const;

/** When an outcome still unknown after so many inquiries is asked for next; once a day when the list is used up. */
export function nextInquiryAtMs(inquiries: number, nowMs: number): number {
  return nowMs + (INQUIRY_DELAYS_MS[inquiries] ?? DAY_MS);
}

/** How long the same request may be sent again under its key: an hour less than the shortest key life of a gateway, 24 h. */
const RESEND_LIFE_MS = 23 * HOUR_MS;

/** Whether a request first sent at `askedAtMs` may be sent again; later it is only looked up. */
export function mayResend(askedAtMs: number, nowMs: number): boolean {
  return nowMs - askedAtMs <= RESEND_LIFE_MS;
}

/** When an operation is looked at by the alarm if nothing was heard of it: well after the gateway's deadline. */
export const SAFETY_NET_MS = MINUTE_MS;
