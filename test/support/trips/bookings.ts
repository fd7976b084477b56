/** Bookings ready for an operation that is counted. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { attachCard, bookingOf, testEnv } from '../api.ts';
import { GOOD } from '../cards.ts';
import { dispatchersAt } from '../pms.ts';
import { done } from './operations.ts';

const CREATE = '/payment/v1/create';
const SAVE = '/booking/v1/create/manage-payments';

/** Sets every clock of the service. */
export function setClock(atMs: number): void {
  vi.setSystemTime(atMs);
  dispatchersAt(atMs);
}

export const ringBooking = (reference: string) =>
  runDurableObjectAlarm(testEnv.BOOKINGS.getByName(JSON.stringify(['demo', reference])));

/** Saves a booking of a guest of its own: one address gets so many mails an hour. */
export function save(reference: string, details: Readonly<Record<string, unknown>> = {}) {
  return done(SAVE, bookingOf(reference, { email: `${reference}@hotel.com`, ...details }));
}

export async function withCard(
  reference: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await save(reference, details);
  await attachCard(reference, GOOD);
}

export function charge(reference: string, more: object = {}, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
  return done(CREATE, { reference, amount: 100, transactionType: 'Deposit', ...more }, headers);
}

export async function withCharge(reference: string): Promise<number> {
  await withCard(reference);
  return (await charge(reference)).transaction.id;
}

export async function hold(reference: string): Promise<number> {
  const expiryTime = new Date(Date.now() + DAY_MS).toISOString();
  return (await charge(reference, { preAuth: true, expiryTime })).transaction.id;
}

export async function withHold(reference: string): Promise<number> {
  await withCard(reference);
  return hold(reference);
}

export async function schedule(reference: string): Promise<number> {
  const time = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  const body = { reference, amount: 100, transactionType: 'Balance', time };
  return (await done('/payment/v1/schedule', body)).transaction.id;
}

export async function withSchedule(reference: string): Promise<number> {
  await withCard(reference);
  return schedule(reference);
}
