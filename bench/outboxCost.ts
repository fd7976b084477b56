import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import { type Booking, makeBookings } from './fixtures.ts';
import { measure, type Round, warm } from './load.ts';
import type { Runtime } from './runtime.ts';
import type { Target } from './targets.ts';

/** How often charges are measured with and without a PMS, in turn. */
const CYCLES = 6;

/** How long each round takes. */
const SECONDS = 2;

/** How many connections send charges at once. */
const CONNECTIONS = 16;

/** The bookings of the charges, in turn. */
const BOOKINGS = 64;

/** The longest wait for the delivery of a round's messages. */
const SENT_MS = 60_000;

/** Rounds of charges, with and without a PMS. */
export interface ChargeRounds {
  readonly withPms: readonly Round[];
  readonly without: readonly Round[];
}

/** Measures charges with and without a PMS, in turn. Waits for the deliveries before each round without a PMS. */
export async function measureCharges(
  { service, database }: Runtime,
  properties: { readonly withPms: Api; readonly without: Api },
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<ChargeRounds> {
  const withPms = await chargesOf(service, properties.withPms);
  const without = await chargesOf(service, properties.without);
  const rounds = { withPms: [] as Round[], without: [] as Round[] };
  for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
    progress(`Charges, cycle ${cycle} of ${CYCLES}`);
    rounds.withPms.push(await measure(withPms, CONNECTIONS, SECONDS, signal));
    await allSent(database);
    rounds.without.push(await measure(without, CONNECTIONS, SECONDS, signal));
    signal.throwIfAborted();
  }
  return rounds;
}

async function allSent(database: D1Database): Promise<void> {
  const untilMs = Date.now() + SENT_MS;
  while (Date.now() < untilMs) {
    const row = await database
      .prepare(
        "SELECT count(*) AS waiting FROM outbox WHERE status = 'Pending' AND property_id = 'with-pms'",
      )
      .first<{ waiting: number }>();
    if (row?.waiting === 0) return;
    await sleep(50);
  }
  throw new Error('The messages of a round were not delivered in time.');
}

async function chargesOf(service: URL, api: Api): Promise<Target> {
  const bookings = await makeBookings(api, 'COST', BOOKINGS);
  const target: Target = {
    name: 'charge',
    url: new URL('/payment/v1/create', service),
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: api.authorization },
    bodies: bookings.map(({ reference }: Booking) => JSON.stringify({ reference, amount: 150 })),
  };
  await warm(target);
  return target;
}
