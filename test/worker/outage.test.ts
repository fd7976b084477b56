import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { sweepOutbox } from '../../src/pms/outbox/stub.ts';
import { atTime, bookingOf, call, callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { howMany, isLong } from '../support/long.ts';
import { confirming, dispatchersAt, dispatchUntil, down, PlayedPms } from '../support/pms.ts';

const CHANGES = howMany.changesInOutage;
const BOOKINGS = CHANGES / 10;

/** Ahead of the real time, so that no alarm rings but when the test lets it. */
const T0 = Date.now() + 10 * DAY_MS;
const DAYS = isLong ? 3 : 1;
const UP_AGAIN_MS = T0 + DAYS * DAY_MS;

let pms: PlayedPms;
let token: string;

beforeAll(async () => {
  pms = new PlayedPms('outage');
  dispatchersAt(T0);
  token = await atTime(T0, () => makeProperty('outage', { pms: pms.settings }));
});

afterAll(() => pms.leave());

describe(`a PMS that is down for days (${DAYS}), with ${CHANGES.toLocaleString('en')} changes over ${BOOKINGS} bookings`, () => {
  it('is probed, and gets every change in order once it is up', async () => {
    pms.behave = down;
    await atTime(T0, async () => {
      for (let round = 0; round < CHANGES / BOOKINGS; round += 1) {
        const saved = await Promise.all(
          Array.from({ length: BOOKINGS }, (_, booking) => {
            const firstName = `Change ${booking + round * BOOKINGS}`;
            const body = bookingOf(`OUT-${booking}`, { firstName });
            return call('/booking/v1/create/manage-payments', body, { token });
          }),
        );
        expect(saved.filter(({ status }) => status !== 200)).toEqual([]);
      }
    });
    await dispatchUntil(pms.url, T0, UP_AGAIN_MS);
    const tries = pms.delivered.length;
    // One every ten minutes, those that led there, and what was under way when the PMS was found to be down.
    expect(tries).toBeGreaterThan(DAYS * 133);
    expect(tries).toBeLessThanOrEqual(DAYS * 24 * 6 + 6 + 8);
    expect(new Set(pms.delivered.map(({ json }) => json.BookingData.Reference)).size).toBe(
      BOOKINGS,
    );

    pms.behave = (message) => confirming(message, { PMSConfirmationNumber: 'P' });
    pms.delivered.length = 0;
    await dispatchUntil(pms.url, UP_AGAIN_MS, UP_AGAIN_MS + HOUR_MS);
    expect(pms.delivered).toHaveLength(CHANGES);
    const names = new Map<string, string[]>();
    for (const { json } of pms.delivered) {
      const { Reference, Guest } = json.BookingData;
      names.set(Reference, [...(names.get(Reference) ?? []), Guest.FirstName]);
    }
    for (const [reference, told] of names) {
      const first = Number(reference.slice(4));
      const expected = Array.from(
        { length: CHANGES / BOOKINGS },
        (_, n) => `Change ${first + n * BOOKINGS}`,
      );
      expect(told).toEqual(expected);
    }
    const unsettled = await callAsAdmin('/admin/v1/outbox/list', {
      property: 'outage',
      status: 'Pending',
    });
    expect(unsettled.json.messages).toEqual([]);
    const dead = await callAsAdmin('/admin/v1/outbox/list', { property: 'outage', status: 'Dead' });
    expect(dead.json.messages).toEqual([]);
  });

  it('leaves nothing that is overdue', async () => {
    expect(await sweepOutbox(testEnv, UP_AGAIN_MS + HOUR_MS + MINUTE_MS)).toBe(0);
  });
});
