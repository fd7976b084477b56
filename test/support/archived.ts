/** Bookings of the demo property that are archived, and all that reads one of them. */
import { expect } from 'vitest';
import { atTime, call, callAsAdmin, testEnv } from './api.ts';
import { eventually } from './eventually.ts';
import type { Guest } from './guest.ts';

/** Long after the stays. */
const LATER = Date.parse('2030-06-01T12:00:00Z');

/** Ends the messages to the PMS, which nobody sends here: a booking with some does not go. */
export async function dismissMessages(): Promise<void> {
  await testEnv.DB.prepare(
    "UPDATE outbox SET status = 'Dismissed', due_at_ms = NULL, completed_at_ms = 1 WHERE status = 'Pending'",
  ).run();
}

/** Archives all that can go; `archived` of the answer says how many. */
export const archiveAll = (property = 'demo') =>
  atTime(LATER, () => callAsAdmin('/admin/v1/archive/run', { property }));

/**
 * Archives so many bookings, which are all that the property has, whatever messages are under way. What writes to one at the
 * same moment, such as an alarm, leaves it to the next run.
 */
export async function archived(count = 1, property = 'demo'): Promise<void> {
  await dismissMessages();
  let gone = 0;
  await eventually(async () => {
    const { json } = await archiveAll(property);
    gone += json.archived;
    expect(gone).toBe(count);
  });
}

/** The places of the audit trail and of the mails among the readings. */
export const AUDIT = 7;
export const MAILS = 8;

/** Everything that reads a booking, as callers see it: its texts, so that the order of members counts, too. */
export async function readings(reference: string, chargeId: number): Promise<string[]> {
  const asOf = new Date(Date.now() - 1).toISOString();
  const all = [
    await call('/booking/v1/get-details', { reference }),
    await call('/payment/v1/transaction', { reference }),
    await call('/payment/v1/get-transaction', { reference, chargeId }),
    await call('/payment/v1/balance', { reference }),
    await call('/payment/v1/balance', { reference, asOf }),
    await call('/event/v1/list', { reference }),
    await call('/dispute/v1/list', { reference }),
    await callAsAdmin('/admin/v1/audit/list', { property: 'demo', reference }),
    await callAsAdmin('/admin/v1/mail/list', { property: 'demo', reference }),
    await call('/payment-plan/v1/get', { reference }),
    await call('/booking/v1/cancellation/get', { reference }),
  ];
  return all.map(({ json, status }) => {
    const {
      balance,
      booking,
      requestId: _own,
      ...others
    } = json as unknown as Record<string, Record<string, unknown>>;
    // Links are sealed anew each time, and balances say when they are.
    return JSON.stringify([status, others, { ...balance, asOf: 0 }, { ...booking, url: 0 }]);
  });
}

/** A page of the console about the demo property, without what each page seals anew. */
export async function pageOf(manager: Guest, query: string): Promise<string> {
  await manager.open(`/console/${query}&property=demo`);
  expect(manager.page.status).toBe(200);
  return manager.page.html
    .replaceAll(/value="[^"]*"/g, '')
    .replaceAll(/nonce="[^"]*"/g, '')
    .replaceAll(/[?&]of=[\w-]+/g, '');
}

/** How many rows D1 has of a booking. */
export async function rowsOf(reference: string): Promise<number> {
  const row = await testEnv.DB.prepare(
    'SELECT (SELECT count(*) FROM bookings WHERE reference = ?1) + (SELECT count(*) FROM history WHERE booking_reference = ?1) + (SELECT count(*) FROM transactions WHERE booking_reference = ?1) + (SELECT count(*) FROM booking_words WHERE booking_reference = ?1) AS n',
  )
    .bind(reference)
    .first<{ n: number }>();
  return row?.n ?? -1;
}
