/** The minute in which one property moves: each sweep does its work for all others, and a minute later for that one. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { EventDispatcher } from '../../src/events/delivery/object.ts';
import { MailDispatcher } from '../../src/mails/object.ts';
import { type Config, requireConfig } from '../../src/platform/config.ts';
import { Keyring } from '../../src/platform/crypto/keyring.ts';
import { PmsDispatcher } from '../../src/pms/outbox/object.ts';
import { sweeps } from '../../src/sweeps/sweeps.ts';
import { atTime, bookingOf, call, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { databases, threeDatabases } from '../support/databases.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms', 'mails', 'news'], keepSpies: true });
threeDatabases();

const STAYS = 'stays';
const GOES = 'goes';

/** Ten minutes of a day begin: then every sweep looks. */
const TOMORROW = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20 * MINUTE_MS;

/** What names a property's own: the address of its PMS, its portfolio, its endpoint. */
const endpoints = new Map<string, string>();
const pmsOf = (property: string) => `https://pms.${property}.hotel.com/messages`;

/** Whether something of a property is in its database, or in another one. */
const found =
  (sql: string, name = 'DB2') =>
  async (property: string): Promise<boolean> => {
    const exists = databases[name]?.prepare(`SELECT EXISTS (SELECT 1 FROM ${sql}) AS is_there`);
    return (await exists?.bind(property).first<number>('is_there')) === 1;
  };

/** Whether a sweep has notified an object that does its work. */
const notified =
  (
    of: { prototype: { notify: (...call: never[]) => unknown } },
    receiver: (name: string) => unknown,
  ) =>
  async (property: string): Promise<boolean> =>
    vi.mocked(of.prototype.notify).mock.calls.some(([first]) => first === receiver(property));

/** Of each sweep, when it has work, and whether it was done for a property. */
const table: Record<
  keyof typeof sweeps,
  { readonly done: (property: string) => Promise<boolean>; readonly days?: number }
> = {
  payments: {
    done: found("transactions WHERE property_id = ? AND kind = 'schedule' AND status = 'Accepted'"),
  },
  messages: { done: notified(PmsDispatcher, pmsOf) },
  events: { done: notified(EventDispatcher, (property) => endpoints.get(property)) },
  mails: { done: notified(MailDispatcher, (property) => property) },
  exports: { done: found('export_runs WHERE portfolio = ?', 'DB') },
  disbursements: { done: found('disbursement_items WHERE property_id = ?') },
  reconciliation: { done: found('history WHERE property_id = ? AND reconciled_at_ms IS NOT NULL') },
  keyring: { done: found("properties WHERE id = ? AND pms_password_sealed GLOB 'new.*'") },
  // It has the move go on, and nothing to do for others.
  moves: { done: async () => true },
  retention: {
    done: found('bookings WHERE property_id = ? AND erased_at_ms IS NOT NULL'),
    days: 150,
  },
  lettingGo: {
    done: found('retention_progress WHERE property_id = ? AND event_number > 0'),
    days: 40,
  },
};

let config: Config;

beforeAll(async () => {
  const read = await requireConfig(testEnv);
  const keyring = await Keyring.parse(`new:${btoa('2'.repeat(32))},${testEnv.KEYRING}`);
  config = { ...read, keyring };
  vi.spyOn(EventDispatcher.prototype, 'notify').mockResolvedValue();
  for (const property of [GOES, STAYS]) await make(property);
});

afterAll(() => {
  vi.restoreAllMocks();
});

async function make(property: string): Promise<void> {
  const token = await makeProperty(property, {
    database: 'DB2',
    portfolio: property,
    pms: { url: pmsOf(property), username: property, password: `the-password-of-${property}` },
    guestMails: { receipts: true },
    retention: { eraseGuestsAfterDays: 1 },
  });
  const url = `https://${property}.engine.hotel.com/events`;
  const { json } = await call('/webhook/v1/put', { url }, { token });
  endpoints.set(property, json.endpoint.endpointId);
  const reference = `of ${property}`;
  await makeBooking(reference, GOOD, { token });
  await call('/payment/v1/create', { reference, amount: 10 }, { token });
  const time = new Date(TOMORROW - 10 * MINUTE_MS).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 5, time }, { token });
  const other = bookingOf(`unpaid ${property}`);
  await call('/booking/v1/create/manage-payments', other, { token });
}

/** Begins the last step of a move, or takes it back. */
async function inLastStep(isMoving: boolean): Promise<void> {
  const state = (name: string) => `INSERT INTO moving_properties VALUES ('${GOES}', '${name}')`;
  const none = 'DELETE FROM moving_properties';
  const begun = `INSERT INTO moves (id, property_id, from_database, to_database, status, rows, last_step_ms, started_at_ms)
    VALUES ('m', '${GOES}', 'DB2', 'STORE1', 'switching', 0, 500, 1)`;
  await databases['DB2']?.prepare(isMoving ? state('frozen') : none).run();
  await databases['STORE1']?.prepare(isMoving ? state('arriving') : none).run();
  await databases['DB']?.prepare(isMoving ? begun : 'DELETE FROM moves').run();
}

it.each(Object.entries(table))('%s', async (name, { days = 0, done }) => {
  const sweep = sweeps[name as keyof typeof sweeps];
  const atMs = TOMORROW + days * DAY_MS;
  const minute = (nth: number) =>
    atTime<unknown>(atMs + nth * MINUTE_MS, () => sweep(testEnv, config, atMs + nth * MINUTE_MS));
  await inLastStep(true);
  try {
    await minute(0);
    expect(await done(STAYS)).toBe(true);
  } finally {
    await inLastStep(false);
  }
  // What looks only every ten minutes looks again then.
  await minute(10);
  expect([await done(STAYS), await done(GOES)]).toEqual([true, true]);
});

it('nothing was done twice', async () => {
  for (const property of [GOES, STAYS]) {
    const counts = await databases['DB2']
      ?.prepare(
        `SELECT (SELECT count(*) FROM history WHERE property_id = ?1 AND movement = 'charge') AS charges,
          (SELECT count(*) FROM disbursement_items WHERE property_id = ?1) AS items,
          (SELECT count(*) FROM disbursements WHERE property_id = ?1 AND item_count = 0) AS empty`,
      )
      .bind(property)
      .first();
    expect(counts).toEqual({ charges: 2, items: 2, empty: 0 });
  }
});
