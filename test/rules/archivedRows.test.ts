/** Which of the acquirer's movements an archived booking's file has: those that need not bring it back. */
import { describe, expect, it } from 'vitest';
import type { GatewayMovement } from '../../src/gateways/movements.ts';
import { type ArchivedMoney, inArchive } from '../../src/reconciliation/rules/archivedRows.ts';

type Entry = ArchivedMoney['entries'][number];

function entry(changes: Partial<Entry> = {}): Entry {
  return {
    chargeId: 2,
    subjectKind: 'charge',
    subjectId: '2',
    movement: 'charge',
    gateway: 'stripe',
    gatewayReference: 'pi_1',
    currency: 'AUD',
    amountMinor: 10_000,
    ...changes,
  };
}

const refunded = entry({
  subjectKind: 'refund',
  subjectId: '3',
  movement: 'refund',
  gatewayReference: 're_1',
  amountMinor: -2_500,
});
const disputed = entry({
  subjectKind: 'dispute',
  subjectId: 'dp_1',
  movement: 'chargeback',
  gatewayReference: 'dp_1',
  amountMinor: -10_000,
});
const returned = { ...disputed, movement: 'chargeback_reversal', amountMinor: 10_000 } as const;
const reversed = { ...refunded, movement: 'reversal', amountMinor: 2_500 } as const;

const money: ArchivedMoney = {
  entries: [entry(), refunded, disputed, returned, reversed],
  charges: [
    { id: 1, reference: 'other-charge', amountMinor: 10_000 },
    { id: 2, reference: 'our-charge', amountMinor: 10_000 },
  ],
  refunds: [
    { id: 3, reference: 'our-refund' },
    { id: 4, reference: 'other-refund' },
  ],
};

const about = { propertyId: 'demo', bookingReference: 'RES-1', reference: 'our-charge' };

function movement(changes: Partial<GatewayMovement> = {}): GatewayMovement {
  return {
    id: 'txn_1',
    kind: 'charge',
    payment: 'pi_1',
    subject: 'pi_1',
    about,
    amountMinor: 10_000,
    currency: 'AUD',
    atMs: 0,
    ...changes,
  };
}

const refund = movement({
  kind: 'refund',
  subject: 're_1',
  about: { ...about, reference: 'our-refund' },
  amountMinor: -2_500,
});
const dispute = movement({ kind: 'dispute', subject: 'dp_1', amountMinor: -10_000 });

function has(one: GatewayMovement, changes: Partial<ArchivedMoney> = {}): boolean {
  return inArchive('stripe', [one], { ...money, ...changes }).length === 1;
}

describe('an archived booking has', () => {
  it.each<[string, GatewayMovement]>([
    ['a charge', movement()],
    ['a refund', refund],
    ['a refund that is named by its charge', { ...refund, about }],
    ['a refund that failed', { ...refund, kind: 'refund_failure', amountMinor: 2_500 }],
    ['a dispute', dispute],
    ['what came back after it', { ...dispute, kind: 'dispute_reversal', amountMinor: 10_000 }],
  ])('%s', (_what, one) => {
    expect(has(one)).toBe(true);
  });

  it.each<[string, Partial<GatewayMovement>]>([
    ['another amount', { amountMinor: 9_999 }],
    ['another currency', { currency: 'NZD' }],
    ['another payment', { subject: 'pi_2' }],
    ['another charge of the booking', { about: { ...about, reference: 'other-charge' } }],
    ['a refund of that amount', { kind: 'refund' }],
    ['one that this service did not make', { about: null }],
  ])('no %s', (_what, changes) => {
    expect(has(movement(changes))).toBe(false);
  });

  it.each<[string, Partial<GatewayMovement>]>([
    ['another amount', { amountMinor: -2_400 }],
    ['another id', { subject: 're_2' }],
    ['another name', { about: { ...about, reference: 'other-refund' } }],
    ['another kind', { kind: 'dispute' }],
  ])('no refund of %s', (_what, changes) => {
    expect(has({ ...refund, ...changes })).toBe(false);
  });

  it('all of several, in their order', () => {
    const unknown = movement({ subject: 'pi_9' });
    const all = [dispute, unknown, movement(), refund];
    expect(inArchive('stripe', all, money)).toEqual([dispute, movement(), refund]);
    expect(inArchive('sandbox', all, money)).toEqual([]);
  });
});

describe('a charge of an archived booking', () => {
  const captured = entry({ movement: 'capture', amountMinor: 6_000 });
  const less = { movement: 'correction', amountMinor: -4_000 } as const;

  it('counts as what it was taken for, as corrected since', () => {
    const entries = [entry({ amountMinor: 9_000 }), entry({ ...less, amountMinor: -1_500 })];
    expect(has(movement({ amountMinor: 7_500 }), { entries })).toBe(true);
    expect(has(movement({ amountMinor: 9_000 }), { entries })).toBe(false);
  });

  it('is its charge alone: what another one took is not added', () => {
    const others = { chargeId: 1, subjectId: '1', gatewayReference: 'pi_0', amountMinor: 500 };
    const entries = [captured, entry(others)];
    expect(has(movement({ amountMinor: 6_000 }), { entries })).toBe(true);
    expect(has(movement({ amountMinor: 6_500 }), { entries })).toBe(false);
  });

  it('counts as its amount where an entry says that, whatever came of it later', () => {
    expect(has(movement(), { entries: [entry(), entry(less)] })).toBe(true);
  });

  it.each<[string, Partial<Entry>]>([
    ['a movement', { movement: null }],
    ['an amount', { amountMinor: null }],
    ['a currency', { currency: null }],
    ['a charge that is there', { chargeId: 9 }],
    ['money of a charge, but a payout', { movement: 'payout' }],
  ])('is not in an entry without %s', (_what, changes) => {
    expect(has(movement(), { entries: [entry(changes)] })).toBe(false);
  });

  it('is known by this service’s own name, where the entry has none of the acquirer', () => {
    const entries = [
      entry({ gatewayReference: null }),
      { ...refunded, gatewayReference: null },
      entry({ subjectKind: 'charge', subjectId: '3', movement: 'refund', amountMinor: -1 }),
    ];
    expect(has(movement(), { entries })).toBe(true);
    expect(has(movement({ about: { ...about, reference: 'x' } }), { entries })).toBe(false);
    expect(has(refund, { entries })).toBe(true);
    expect(has({ ...refund, about }, { entries })).toBe(false);
  });
});
