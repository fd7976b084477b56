import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, DAY_MS, HOUR_MS, localDate, startOfDayMs } from '../../src/core/time.ts';
import {
  disbursementOfPayout,
  itemOfPayout,
  sharesOf,
} from '../../src/disbursements/rules/payouts.ts';
import type { Payout, PayoutMovement } from '../../src/gateways/payouts.ts';
import {
  dayId,
  dayOf,
  disbursementOfDay,
  itemOf,
  type Movement,
} from '../../src/sandbox/rules/days.ts';
import { howMany } from '../support/long.ts';

/** Zones whose clocks change at midnight, by half an hour, by a whole day, or never. */
const zones = [
  'Australia/Perth',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
];

const instants = fc.integer({ min: Date.UTC(2011, 0, 1), max: Date.UTC(2031, 0, 1) });

const movements: fc.Arbitrary<Movement> = fc
  .record({
    propertyId: fc.constantFrom('demo', 'other'),
    timeZone: fc.constantFrom(...zones),
    kind: fc.constantFrom('sale', 'refund', 'dispute', 'refund_failure'),
    sequence: fc.nat(),
    netMinor: fc.integer({ min: 1, max: 99_999_999 }),
    feeMinor: fc.nat(99_999),
    atMs: instants,
  })
  .map(({ netMinor, feeMinor, ...movement }) => {
    const fee = movement.kind === 'sale' ? feeMinor : 0;
    const leaves = movement.kind === 'refund' || movement.kind === 'dispute';
    return {
      ...movement,
      grossMinor: leaves ? -netMinor : netMinor + fee,
      feeMinor: fee,
      currency: 'AUD',
      description: 'RES-1',
      gatewayReference: `sandbox_${movement.sequence}`,
      createdAtMs: movement.atMs,
      nowMs: movement.atMs,
    };
  });

const never = () => false;

describe('the local day of a movement', () => {
  it('begins before it and ends after it, wherever clocks change', () => {
    fc.assert(
      fc.property(movements, ({ atMs, timeZone, ...rest }) => {
        const day = dayOf({ ...rest, atMs, timeZone }, never);
        expect(startOfDayMs(day, timeZone)).toBeLessThanOrEqual(atMs);
        expect(startOfDayMs(addDays(day, 1), timeZone)).toBeGreaterThan(atMs);
      }),
      { numRuns: howMany.zoneRuns },
    );
  });

  it.each([
    // The clocks went forward at midnight: the day began at one.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', 25],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    ['Australia/Perth', '2026-11-20', '2026-11-19T16:00:00Z', 24],
  ])('in %s, %s begins at %s and has %d hours', (timeZone, day, begins, hours) => {
    const startMs = Date.parse(begins);
    expect(startOfDayMs(day, timeZone)).toBe(startMs);
    expect(startOfDayMs(addDays(day, 1), timeZone) - startMs).toBe(hours * HOUR_MS);
    expect(localDate(startMs, timeZone)).toBe(day);
    expect(localDate(startMs - 1, timeZone)).toBe(addDays(day, -1));
  });

  it('is the day that it is now once its own is closed, or the next that is open', () => {
    fc.assert(
      fc.property(
        movements,
        fc.integer({ min: DAY_MS, max: 90 * DAY_MS }),
        fc.nat(1),
        (movement, laterMs, closedAhead) => {
          const nowMs = movement.atMs + laterMs;
          const today = localDate(nowMs, movement.timeZone);
          const open = addDays(today, closedAhead);
          const day = dayOf({ ...movement, nowMs }, (_property, one) => one < open);
          expect(day).toBe(open);
        },
      ),
    );
  });
});

describe('the disbursement of a day', () => {
  it('closes after its day, pays out after it closes, and is empty at first', () => {
    fc.assert(
      fc.property(movements, (movement) => {
        const day = localDate(movement.atMs, movement.timeZone);
        const made = disbursementOfDay(movement, day);
        expect(made).toMatchObject({
          id: dayId(movement.propertyId, day),
          grossMinor: 0,
          feeMinor: 0,
          netMinor: 0,
        });
        expect(made.effectiveAtMs).toBeLessThanOrEqual(movement.atMs);
        expect(made.dueAtMs).toBeGreaterThan(movement.atMs);
        expect(made.paysAtMs).toBeGreaterThan(made.dueAtMs ?? 0);
        expect(made.arrivalDate > day).toBe(true);
      }),
    );
  });
});

describe('what the embedded acquirer pays out of a day in Perth', () => {
  const [perth] = fc.sample(movements, { numRuns: 1, seed: 1 });
  if (perth === undefined) throw new Error('no movement was made');
  const movement = { ...perth, propertyId: 'demo', timeZone: 'Australia/Perth' };

  it('is named after its property and that day, closes ten minutes after it, and is paid out two days later', () => {
    expect(disbursementOfDay(movement, '2026-11-20')).toEqual({
      postedFeeMinor: 0,
      itemCount: 0,
      postedNetMinor: 0,
      propertyId: 'demo',
      id: 'sandbox-demo-2026-11-20',
      gateway: 'sandbox',
      status: 'not_paid_out',
      currency: 'AUD',
      grossMinor: 0,
      feeMinor: 0,
      netMinor: 0,
      description: 'Payments and refunds of 2026-11-20',
      effectiveAtMs: Date.parse('2026-11-20T00:00:00+08:00'),
      arrivalDate: '2026-11-22',
      dueAtMs: Date.parse('2026-11-21T00:10:00+08:00'),
      paysAtMs: Date.parse('2026-11-22T00:00:00+08:00'),
    });
  });

  it('holds each movement as it was made, unauthenticated, to be had when it is paid out', () => {
    const sale = {
      ...movement,
      kind: 'sale',
      sequence: 7,
      grossMinor: 1_500,
      feeMinor: 40,
    } as const;
    const made = { gatewayReference: 'sandbox_7', atMs: 3_000, createdAtMs: 2_000 };
    expect(itemOf({ ...sale, ...made }, '2026-11-20')).toEqual({
      propertyId: 'demo',
      id: 'sandbox-item-7',
      disbursementId: 'sandbox-demo-2026-11-20',
      gatewayTransactionId: 'sandbox_7',
      description: 'RES-1',
      category: 'sale',
      currency: 'AUD',
      grossMinor: 1_500,
      feeMinor: 40,
      netMinor: 1_460,
      threeDsAuthenticated: false,
      effectiveAtMs: 3_000,
      createdAtMs: 2_000,
      availableAtMs: Date.parse('2026-11-22T00:00:00+08:00'),
    });
  });
});

describe('a movement as an item', () => {
  it('adds up: net is gross less fee; what is sent back is negative and bears no fee', () => {
    fc.assert(
      fc.property(movements, (movement) => {
        const { category, grossMinor, feeMinor, netMinor } = itemOf(movement, '2026-11-20');
        expect(netMinor).toBe(grossMinor - feeMinor);
        expect([category, grossMinor]).toEqual([movement.kind, movement.grossMinor]);
        if (category !== 'sale') expect(feeMinor).toBe(0);
      }),
    );
  });

  it('has a name of its own', () => {
    fc.assert(
      fc.property(fc.uniqueArray(movements, { selector: (it) => it.sequence }), (several) => {
        const names = several.map((movement) => itemOf(movement, '2026-11-20').id);
        expect(new Set(names).size).toBe(several.length);
      }),
    );
  });
});

const payoutMovements: fc.Arbitrary<PayoutMovement> = fc.record({
  id: fc.uuid(),
  gatewayTransactionId: fc.constant('pi_1'),
  about: fc
    .option(
      fc.record({
        propertyId: fc.constantFrom('one', 'two', 'elsewhere'),
        bookingReference: fc.constant('RES-1'),
        reference: fc.constant(''),
      }),
    )
    .map((about) => about && { ...about, reference: `of ${about.propertyId}` }),
  description: fc.constant(''),
  category: fc.constantFrom('dispute', 'adjustment'),
  currency: fc.constant('AUD'),
  grossMinor: fc.integer({ min: -99_999, max: 99_999 }),
  feeMinor: fc.integer({ min: 0, max: 999 }),
  threeDsAuthenticated: fc.boolean(),
  createdAtMs: instants,
  availableAtMs: instants,
});

/** Our own records: nothing of them is of a property that we do not have. */
const owners = ['one', 'two'].map((propertyId) => ({ propertyId, reference: `of ${propertyId}` }));

describe('a payout as a disbursement', () => {
  const payout: Payout = {
    id: 'po_1',
    status: 'in_transit',
    currency: 'AUD',
    description: 'STRIPE PAYOUT',
    createdAtMs: 5_000,
    arrivalDate: '2026-11-23',
    itemised: true,
    reconciled: false,
  };

  it('is empty at first, and due for nothing: the acquirer tells how it goes on', () => {
    expect(disbursementOfPayout('stripe', 'demo', payout)).toEqual({
      postedFeeMinor: 0,
      itemCount: 0,
      postedNetMinor: 0,
      propertyId: 'demo',
      id: 'po_1',
      gateway: 'stripe',
      status: 'in_transit',
      currency: 'AUD',
      grossMinor: 0,
      feeMinor: 0,
      netMinor: 0,
      description: 'STRIPE PAYOUT',
      effectiveAtMs: 5_000,
      arrivalDate: '2026-11-23',
      dueAtMs: null,
      paysAtMs: null,
    });
  });

  it('is called by its id where the acquirer has no words for it', () => {
    const unnamed = disbursementOfPayout('stripe', 'demo', { ...payout, description: '' });
    expect(unnamed.description).toBe('Payout po_1');
  });
});

describe('the shares of a payout', () => {
  it('go to nobody whom the acquirer and our own records do not both name', () => {
    const [some] = fc.sample(payoutMovements, { numRuns: 1, seed: 1 });
    if (some === undefined) throw new Error('no movement was made');
    const about = { propertyId: 'one', bookingReference: 'RES-1', reference: 'of two' };
    const movement = { ...some, about };
    expect(sharesOf([movement], owners, ['one', 'two'])).toEqual(new Map());
    expect(sharesOf([movement], owners, ['three'])).toEqual(new Map([['three', [movement]]]));
  });

  it('of an account that is one property’s are all of it, but for what another one asked for', () => {
    fc.assert(
      fc.property(fc.array(payoutMovements), (all) => {
        const strange = all.filter(({ about }) => about?.propertyId !== 'two');
        const shares = sharesOf(all, owners, ['one']);
        expect(shares.get('one') ?? []).toEqual(strange);
        expect(shares.get('elsewhere')).toBeUndefined();
      }),
    );
  });

  it('of an account that properties share go to who asked, each once, and add up', () => {
    fc.assert(
      fc.property(fc.array(payoutMovements), (all) => {
        const shares = sharesOf(all, owners, ['one', 'two']);
        const given = [...shares].flatMap(([propertyId, share]) =>
          share.map((movement) => ({ propertyId, movement })),
        );
        for (const { propertyId, movement } of given) {
          expect(movement.about?.propertyId).toBe(propertyId);
        }
        const ours = all.filter(({ about }) => about !== null && about.propertyId !== 'elsewhere');
        expect(given).toHaveLength(ours.length);
        const net = ({ grossMinor, feeMinor }: PayoutMovement) => grossMinor - feeMinor;
        const items = given.map((one) => itemOfPayout(one.propertyId, 'po_1', one.movement));
        const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
        expect(sum(items.map(({ netMinor }) => netMinor))).toBe(sum(ours.map(net)));
      }),
    );
  });
});
