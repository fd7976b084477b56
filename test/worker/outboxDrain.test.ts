/** However much waits for a PMS, and for however many properties, a page of it costs no more (pms: Delivery and retries). */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import {
  MOST_PROPERTIES,
  selectDue,
  selectDueProperties,
  selectNextDue,
} from '../../src/pms/outbox/store.ts';
import { atTime, bookingOf, call, makeProperty, testEnv } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { confirming, dispatchersAt, dispatchUntil, down, PlayedPms } from '../support/pms.ts';

const SAVE = '/booking/v1/create/manage-payments';

const PMS = 'https://pms.drain.hotel.com/messages';
const PAGE = 50;
const HOTELS = 20;
const WAITING = 400;
const NOW_MS = 1_000_000;

const numbers = (many: number) =>
  `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${many})`;

beforeAll(async () => {
  for (let hotel = 0; hotel < HOTELS; hotel += 1) {
    const pms = { url: PMS, username: `u${hotel}`, password: `a-password-of-it-${hotel}` };
    await makeProperty(`drain-${hotel}`, { pms });
  }
});

/** Lets so many messages of some hotels be due, and as many not yet. */
async function queue(hotels: number, each: number): Promise<void> {
  await testEnv.DB.prepare('DELETE FROM outbox').run();
  for (let hotel = 0; hotel < hotels; hotel += 1) {
    await testEnv.DB.prepare(
      `INSERT INTO outbox (property_id, booking_reference, message_id, message_type, payload, status, due_at_ms,
         created_at_ms) ${numbers(each * 2)}
       SELECT ?1, 'B-' || n, ?1 || '-' || n, 'PushBooking', '{}', 'Pending',
         CASE WHEN n <= ?2 THEN ?3 - n ELSE ?3 + n END, 1 FROM series`,
    )
      .bind(`drain-${hotel}`, each, NOW_MS)
      .run();
  }
}

async function page() {
  const database = new Database(testEnv.DB, new Trace());
  const of = { receiver: PMS, advanced: null };
  const read = () =>
    database.batch('d1.outbox.read', [
      selectDueProperties(of, NOW_MS),
      selectDue(of, NOW_MS, PAGE),
      selectNextDue(of, NOW_MS),
    ]);
  const [properties, messages, [next]] = await read();
  return { properties, messages, next, rowsRead: (await used(read)).rowsRead };
}

it('has what is due longest, and says when the next is due', async () => {
  await queue(2, 3);
  const { messages, next, properties } = await page();
  expect(messages.map(({ messageId }) => messageId)).toEqual([
    'drain-0-3',
    'drain-1-3',
    'drain-0-2',
    'drain-1-2',
    'drain-0-1',
    'drain-1-1',
  ]);
  expect(properties.map(({ id }) => id).toSorted()).toEqual(['drain-0', 'drain-1']);
  expect(next?.inMs).toBe(4);
});

it('reads as many rows with four thousand messages of a hotel as with four hundred', async () => {
  await queue(1, WAITING);
  const few = await page();
  await queue(1, WAITING * 10);
  const many = await page();
  expect([few.messages.length, many.messages.length]).toEqual([PAGE, PAGE]);
  expect(many.rowsRead).toBeLessThanOrEqual(few.rowsRead + 5);
});

it('reads a page of each of a few hotels, whoever else has messages', async () => {
  await queue(HOTELS, WAITING);
  const { messages, properties, rowsRead } = await page();
  expect([messages.length, properties.length]).toEqual([PAGE, MOST_PROPERTIES]);
  expect(rowsRead).toBeLessThan(MOST_PROPERTIES * PAGE * 5);
});

it('brings what waits of every hotel of a PMS in one run', async () => {
  const pms = new PlayedPms('vendor');
  onTestFinished(() => pms.leave());
  const atMs = Date.now() + DAY_MS;
  const saved = Array.from({ length: MOST_PROPERTIES * 2 + 1 }, (_, hotel) => `vendor-${hotel}`);
  dispatchersAt(atMs);
  pms.behave = down;
  for (const property of saved) {
    const token = await atTime(atMs, () => makeProperty(property, { pms: pms.settings }));
    await atTime(atMs, () => call(SAVE, bookingOf(property), { token }));
  }
  pms.behave = (message) => confirming(message);
  pms.delivered.splice(0);
  await dispatchUntil(pms.url, atMs, atMs + HOUR_MS);
  const told = pms.delivered.map(({ json }) => json.BookingData.Reference);
  expect(told.toSorted()).toEqual(saved.toSorted());
});
