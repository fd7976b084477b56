import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Booking } from './fixtures.ts';
import type { Runtime } from './runtime.ts';

/** Charges of each booking in one volley. */
const CHARGES_EACH = 5;

/** How far ahead the schedules are due: longer than creating them all takes. */
const AHEAD_MS = 12_000;

/** The longest wait for them from then on. */
const SETTLED_MS = 60_000;

/** How often to check for outcomes: seldom, so that the checks do not slow the service. */
const LOOK_MS = 500;

/** Many charges that start at one instant. */
export interface Volley {
  /** The time from that instant to each outcome, by the service's clock. */
  readonly latenessMs: readonly number[];
  /** The time from that instant to the last outcome. */
  readonly elapsedMs: number;
  readonly faults: readonly string[];
}

/** One operation as the acquirer recorded it. */
export interface LedgerEntry {
  readonly kind: string;
  readonly idempotencyKey: string;
  readonly bookingReference: string;
  readonly amount: number;
  readonly status: string;
}

/** The columns of a transaction that a volley reads. */
interface Charge {
  readonly booking_reference: string;
  readonly status: string;
  readonly amount_minor: number;
  readonly gateway_key: string | null;
  readonly completed_at_ms: number | null;
}

/** Charges each booking's cards one after the other, all bookings at once. */
export async function chargeDirectly(
  runtime: Runtime,
  api: Api,
  sandbox: Api,
  bookings: readonly Booking[],
): Promise<Volley> {
  const startedAtMs = Date.now();
  await eachBooking(bookings, ({ reference }) =>
    api.post('/payment/v1/create', { reference, amount: 150 }),
  );
  return assess(runtime, sandbox, bookings, startedAtMs);
}

/** Schedules every booking's charges for the same second. The bookings' alarms make them. */
export async function chargeScheduled(
  runtime: Runtime,
  api: Api,
  sandbox: Api,
  bookings: readonly Booking[],
  signal: AbortSignal,
): Promise<Volley> {
  const dueAtMs = Math.ceil((Date.now() + AHEAD_MS) / 1_000) * 1_000;
  const time = new Date(dueAtMs).toISOString();
  await eachBooking(bookings, ({ reference }) =>
    api.post('/payment/v1/schedule', { reference, amount: 150, time }),
  );
  if (Date.now() >= dueAtMs)
    throw new Error('Creating the schedules took longer than the time until they are due.');
  await sleep(dueAtMs - Date.now(), undefined, { signal });
  while (Date.now() < dueAtMs + SETTLED_MS) {
    await sleep(LOOK_MS, undefined, { signal });
    const charges = await readCharges(runtime, bookings);
    if (charges.every(({ status }) => status !== 'Pending' && status !== 'Processing')) break;
  }
  return assess(runtime, sandbox, bookings, dueAtMs);
}

async function eachBooking(
  bookings: readonly Booking[],
  charge: (booking: Booking) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    bookings.map(async (booking) => {
      for (let made = 0; made < CHARGES_EACH; made += 1) await charge(booking);
    }),
  );
}

/** Compares a volley with the acquirer's records, and measures the times of its outcomes. */
async function assess(
  runtime: Runtime,
  sandbox: Api,
  bookings: readonly Booking[],
  startedAtMs: number,
): Promise<Volley> {
  const charges = await readCharges(runtime, bookings);
  const { operations } = await sandbox.post<{ operations: LedgerEntry[] }>(
    '/sandbox/v1/ledger',
    {},
  );
  const references = new Set(bookings.map(({ reference }) => reference));
  const effects = operations.filter(({ bookingReference }) => references.has(bookingReference));
  const latenessMs = charges.flatMap(({ completed_at_ms: completedAtMs }) =>
    completedAtMs === null ? [] : [completedAtMs - startedAtMs],
  );
  return {
    latenessMs,
    elapsedMs: Math.max(...latenessMs),
    faults: [
      ...countFaults('charges', charges.length, bookings.length * CHARGES_EACH),
      ...countFaults('effects at the acquirer', effects.length, charges.length),
      ...charges.flatMap((charge) => chargeFaults(charge, effects)),
    ],
  };
}

function countFaults(what: string, found: number, expected: number): string[] {
  return found === expected ? [] : [`${found} ${what}, not ${expected}`];
}

function chargeFaults(charge: Charge, effects: readonly LedgerEntry[]): string[] {
  const own = effects.filter(({ idempotencyKey }) => idempotencyKey === charge.gateway_key);
  const once =
    charge.status === 'Accepted' &&
    own.length === 1 &&
    own.every(
      ({ status, amount }) =>
        status === 'succeeded' && Math.round(amount * 100) === charge.amount_minor,
    );
  const where = `${charge.booking_reference}, ${charge.gateway_key}`;
  return once ? [] : [`${where} is ${charge.status} and has ${own.length} effects`];
}

async function readCharges(
  { database }: Runtime,
  bookings: readonly Booking[],
): Promise<readonly Charge[]> {
  const references = JSON.stringify(bookings.map(({ reference }) => reference));
  const { results } = await database
    .prepare(
      `SELECT booking_reference, status, amount_minor, gateway_key, completed_at_ms FROM transactions
        WHERE booking_reference IN (SELECT value FROM json_each(?))`,
    )
    .bind(references)
    .all<Charge>();
  return results;
}
