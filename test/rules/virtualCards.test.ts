import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { cardAfter, usedBy } from '../../src/money/payments/rules/history.ts';
import { amountOnCard } from '../../src/money/payments/rules/onVirtualCard.ts';
import { planOf, toldOf } from '../../src/money/virtualCards/rules.ts';
import {
  autoChargeAtMs,
  isFresh,
  NOT_VIRTUAL,
  remainingOf,
  virtualState,
  whyNotActive,
  whyTooMuch,
} from '../../src/records/cards/rules/virtual.ts';
import { bookingTotals } from '../../src/records/history/rules/totals.ts';
import { NO_SUMS } from '../../src/records/history/sums.ts';
import type { VirtualTerms } from '../../src/schema/cardTables.ts';
import { bookedRow, cardRow, propertyRow, SETTLED, transactionRow } from './rows.ts';

const FROM = Date.parse('2027-02-14T00:00:00+08:00');
const NINE = Date.parse('2027-02-14T09:00:00+08:00');
const UNTIL = FROM + 30 * DAY_MS;
const ZONE = 'Australia/Perth';

function terms(changes: Partial<VirtualTerms> = {}): VirtualTerms {
  return {
    activeFromMs: FROM,
    activeUntilMs: UNTIL,
    limitMinor: 50_000,
    channel: 'Agency',
    autoCharge: false,
    ...changes,
  };
}

function virtualCard(changes: Partial<VirtualTerms> = {}, use = {}) {
  return cardRow('virtual', { virtual: terms(changes), expiryYear: 2030, ...use });
}

describe('a virtual card', () => {
  it.each([
    ['before', FROM - 1, 'virtual_card_not_active'],
    ['at the first instant', FROM, undefined],
    ['at the last instant', UNTIL, undefined],
    ['after', UNTIL + 1, 'virtual_card_ended'],
  ])('is charged in its time only: %s', (_when, atMs, code) => {
    expect(whyNotActive(virtualCard(), atMs, propertyRow())?.code).toBe(code);
    expect(whyNotActive(cardRow('any'), atMs, propertyRow())).toBeNull();
  });

  it('says from when it is charged, in the zone of its property', () => {
    expect(whyNotActive(virtualCard(), 0, propertyRow())?.members).toEqual({
      activeFrom: '2027-02-14T00:00:00+08:00',
    });
  });

  it('has left what is neither taken nor held, with what was given back', () => {
    const use = { takenMinor: 30_000, heldMinor: 5_000, refundedMinor: 10_000 };
    expect(remainingOf(virtualCard({}, use))).toBe(25_000);
    expect(remainingOf(virtualCard({ limitMinor: null }, use))).toBeNull();
    expect(remainingOf(NOT_VIRTUAL)).toBeNull();
  });

  it('refuses more than is left, and says what is', () => {
    const card = virtualCard({}, { takenMinor: 49_900 });
    expect(whyTooMuch(card, 100, { currency: 'AUD' })).toBeNull();
    expect(whyTooMuch(card, 101, { currency: 'AUD' })).toMatchObject({
      code: 'exceeds_virtual_card',
      members: { remaining: 1 },
    });
  });

  it('is fresh for a day', () => {
    expect(
      [FROM, FROM + DAY_MS - 1, FROM + DAY_MS].map((at) => isFresh(virtualCard(), at)),
    ).toEqual([true, true, false]);
  });
});

describe('the time at which it charges by itself', () => {
  it.each<[string, Partial<VirtualTerms>, number, number | null]>([
    ['is nine o’clock of the day of a card that is active earlier', {}, 0, NINE],
    ['is that of a card that is active later', { activeFromMs: NINE + 1 }, 0, NINE + 1],
    ['is now for a later rise', {}, NINE + 5 * HOUR_MS, NINE + 5 * HOUR_MS],
    ['is nine o’clock for a rise in the night', {}, NINE + 20 * HOUR_MS, NINE + DAY_MS],
    ['is at once for a card that ends before nine', { activeUntilMs: NINE - 1 }, 0, FROM],
    ['is none for a card that has ended', {}, UNTIL + 1, null],
  ])('%s', (_what, changes, nowMs, atMs) => {
    expect(autoChargeAtMs(terms(changes), nowMs, ZONE)).toBe(atMs);
  });
});

describe('the state of a virtual card', () => {
  const used = (takenMinor: number, refundedMinor = 0) => ({
    takenMinor,
    heldMinor: 0,
    refundedMinor,
  });
  it.each<[string, Partial<VirtualTerms>, ReturnType<typeof used>, number, number, number]>([
    ['notActive', {}, used(0), 60_000, 60_000, FROM - 1],
    ['chargeable', {}, used(0), 60_000, 60_000, FROM],
    ['chargeable', { limitMinor: null, activeUntilMs: null }, used(90), 60_000, 10, UNTIL],
    ['charged', {}, used(50_000), 60_000, 10_000, FROM],
    ['charged', {}, used(40_000), 40_000, 0, FROM],
    ['refundable', {}, used(50_000), 40_000, 0, FROM],
    ['refundable', {}, used(50_000), 40_000, 0, UNTIL - 1],
    ['charged', {}, used(50_000, 10_000), 40_000, 0, FROM],
    ['charged', {}, used(50_000), 0, 0, FROM],
    ['lapsing', {}, used(0), 60_000, 60_000, UNTIL - 3 * DAY_MS],
    ['lapsing', {}, used(0), 60_000, 60_000, UNTIL],
    ['chargeable', {}, used(0), 60_000, 60_000, UNTIL - 3 * DAY_MS - 1],
    ['charged', {}, used(0), 60_000, 0, UNTIL],
    ['ended', {}, used(50_000), 40_000, 0, UNTIL + 1],
  ])('is %s', (state, changes, use, totalCostMinor, dueMinor, nowMs) => {
    expect(virtualState(terms(changes), use, { totalCostMinor, dueMinor }, nowMs)).toBe(state);
  });
});

describe('what a change of a payment does with a virtual card', () => {
  const row = transactionRow({ cardToken: 'virtual', virtualCard: true });
  const accepted = { ...row, ...SETTLED, status: 'Accepted' } as const;
  const use = (takenMinor: number, heldMinor: number) => [
    { cardToken: 'virtual', use: { takenMinor, heldMinor, refundedMinor: 0 } },
  ];
  it('counts what may have been taken, then what was', () => {
    expect(usedBy({ before: null, after: row })).toEqual(use(0, 15_000));
    expect(usedBy({ before: row, after: accepted })).toEqual(use(15_000, -15_000));
    const declined = { ...row, ...SETTLED, status: 'Declined' } as const;
    expect(usedBy({ before: row, after: declined })).toEqual(use(0, -15_000));
  });

  it('counts a hold until it is let go, and a capture with the amount taken', () => {
    const held = { ...row, ...SETTLED, kind: 'authorization', status: 'Authorized' } as const;
    expect(usedBy({ before: row, after: held })).toEqual([]);
    const captured = { ...held, status: 'Accepted', amountMinor: 9_000 } as const;
    expect(usedBy({ before: held, after: captured })).toEqual(use(9_000, -15_000));
    expect(usedBy({ before: held, after: { ...held, status: 'Released' } })).toEqual(
      use(0, -15_000),
    );
  });

  it('counts nothing for what is planned, nor for other cards', () => {
    const pending = { ...row, ...SETTLED, kind: 'schedule', status: 'Pending' } as const;
    expect(usedBy({ before: null, after: pending })).toEqual([]);
    expect(usedBy({ before: null, after: { ...row, virtualCard: false } })).toEqual([]);
    expect(usedBy({ before: null, after: { ...row, cardToken: null } })).toEqual([]);
  });

  it('moves from a card to the one that is tried next', () => {
    const other = { ...row, ...SETTLED, status: 'Pending', cardToken: 'other' } as const;
    expect(usedBy({ before: row, after: other })).toEqual(use(0, -15_000));
  });

  it('counts what a correction took more or less', () => {
    const corrected = { ...accepted, amountMinor: 9_000 } as const;
    expect(usedBy({ before: accepted, after: corrected })).toEqual(use(-6_000, 0));
  });

  it('leaves a card as it shows, whatever it does with another', () => {
    const moved = { before: row, after: { ...row, cardToken: 'other' } };
    const held = virtualCard({}, { heldMinor: 15_000 });
    expect(cardAfter(held, moved).heldMinor).toBe(0);
    expect(cardAfter({ ...held, token: 'other' }, moved).heldMinor).toBe(30_000);
  });

  it('leaves a card as it shows', () => {
    expect(cardAfter(virtualCard(), { before: null, after: row }).heldMinor).toBe(15_000);
    expect(cardAfter(cardRow('virtual'), { before: null, after: row }).heldMinor).toBe(0);
  });
});

describe('a schedule that fires on a virtual card', () => {
  const moment = { atMs: NINE, stepMinor: 1 };
  const row = { currency: 'AUD', limitToDue: false, planId: null };
  it('takes what is left', () => {
    expect(amountOnCard(virtualCard(), row, 50_000, propertyRow(), moment)).toEqual({
      kind: 'take',
      requestedMinor: 50_000,
    });
    expect(amountOnCard(cardRow('any'), row, 90_000, propertyRow(), moment)).toMatchObject({
      requestedMinor: 90_000,
    });
  });

  it.each([
    ['exceeds_virtual_card', {}, 50_001, NINE],
    ['virtual_card_not_active', {}, 100, FROM - 1],
    ['virtual_card_ended', {}, 100, UNTIL + 1],
  ])('is declined as %s', (declineCode, changes, minor, atMs) => {
    const firing = amountOnCard(virtualCard(changes), row, minor, propertyRow(), {
      ...moment,
      atMs,
    });
    const declined = { status: 'Declined', declineCode, declineRetryable: false };
    expect(firing).toMatchObject({ kind: 'end', change: declined });
  });

  it('takes what is left if it takes what is due, at most, in steps of the acquirer', () => {
    const limited = { ...row, limitToDue: true };
    const card = virtualCard({ limitMinor: 1_005 });
    const by10 = { ...moment, stepMinor: 10 };
    expect(amountOnCard(card, limited, 9_000, propertyRow(), by10)).toEqual({
      kind: 'take',
      requestedMinor: 1_000,
    });
    const empty = virtualCard({ limitMinor: 9 });
    expect(amountOnCard(empty, limited, 9_000, propertyRow(), by10)).toMatchObject({
      change: { status: 'Cancelled' },
    });
    const part = { ...limited, planId: 'p1' };
    expect(amountOnCard(card, part, 9_000, propertyRow(), by10)).toMatchObject({ kind: 'take' });
    expect(amountOnCard(empty, part, 9_000, propertyRow(), by10)).toMatchObject({
      change: { status: 'Declined', declineCode: 'exceeds_virtual_card' },
    });
  });
});

describe('what a virtual card charges by itself', () => {
  const totals = bookingTotals(NO_SUMS);
  const auto = (use = {}) => virtualCard({ autoCharge: true }, use);
  const situation = (changes: Partial<Parameters<typeof planOf>[1]> = {}) => ({
    property: propertyRow(),
    booking: bookedRow({ totalCostMinor: 40_000, knownTotalMinor: 40_000 }),
    totals,
    latest: null,
    nowMs: 0,
    stepMinor: 1,
    ...changes,
  });
  const pending = transactionRow({
    ...SETTLED,
    kind: 'schedule',
    status: 'Pending',
    requestedMinor: 40_000,
  });

  it('is what is due, at most what is left', () => {
    expect(planOf(auto(), situation())).toEqual({ kind: 'make', amountMinor: 40_000, atMs: NINE });
    const dear = bookedRow({ totalCostMinor: 90_000 });
    expect(planOf(auto({ takenMinor: 10_000 }), situation({ booking: dear }))).toMatchObject({
      amountMinor: 40_000,
    });
  });

  it('is nothing for a card that does not, for a cancelled booking, or for an unknown total', () => {
    expect(planOf(virtualCard(), situation())).toBeNull();
    const cancelled = bookedRow({ status: 'cancelled' });
    expect(planOf(auto(), situation({ booking: cancelled }))).toBeNull();
    const unknown = bookedRow({ totalCostMinor: 0, knownTotalMinor: 0 });
    expect(planOf(auto(), situation({ booking: unknown }))).toBeNull();
  });

  it('is nothing for a card that is no virtual one, or that has ended', () => {
    expect(planOf(cardRow('any'), situation())).toBeNull();
    expect(planOf(auto(), situation({ nowMs: UNTIL }))).toMatchObject({ kind: 'make' });
    expect(planOf(auto(), situation({ nowMs: UNTIL + 1 }))).toBeNull();
  });

  it('goes by the last total that was known', () => {
    const once = bookedRow({ totalCostMinor: 0, knownTotalMinor: 30_000 });
    expect(planOf(auto(), situation({ booking: once }))).toMatchObject({ amountMinor: 30_000 });
  });

  it('is a multiple of the step that the acquirer takes', () => {
    const odd = bookedRow({ totalCostMinor: 40_009 });
    const byTen = situation({ booking: odd, stepMinor: 10 });
    expect(planOf(auto(), byTen)).toMatchObject({ amountMinor: 40_000 });
    expect(planOf(auto({ takenMinor: 49_991 }), byTen)).toBeNull();
  });

  it('follows the total', () => {
    expect(planOf(auto(), situation({ latest: pending }))).toBeNull();
    const lower = bookedRow({ totalCostMinor: 30_000 });
    expect(planOf(auto(), situation({ latest: pending, booking: lower }))).toMatchObject({
      kind: 'change',
      amountMinor: 30_000,
    });
    const paid = { ...totals, paidMinor: 40_000 };
    expect(planOf(auto(), situation({ latest: pending, totals: paid }))).toMatchObject({
      kind: 'cancel',
    });
  });

  it('does not count what is under way a second time', () => {
    const latest = transactionRow({ kind: 'schedule', requestedMinor: 40_000 });
    expect(planOf(auto({ heldMinor: 40_000 }), situation({ latest }))).toBeNull();
  });
});

describe('what is told of a virtual card', () => {
  it('is once that it is active, and once that it will soon end', () => {
    const card = terms();
    expect(toldOf(card, FROM, 'notActive', FROM - 1)).toEqual({ event: null, dueAtMs: FROM });
    const active = toldOf(card, FROM, 'chargeable', FROM);
    expect(active).toEqual({ event: 'card.virtual_active', dueAtMs: UNTIL - 3 * DAY_MS });
    expect(toldOf(card, UNTIL - 3 * DAY_MS, 'lapsing', UNTIL - 3 * DAY_MS)).toEqual({
      event: 'card.virtual_lapsing',
      dueAtMs: null,
    });
  });

  it('waits for something to charge, a day at a time, until the card has ended', () => {
    const dueAtMs = UNTIL - 3 * DAY_MS;
    expect(toldOf(terms(), dueAtMs, 'charged', dueAtMs)).toEqual({
      event: null,
      dueAtMs: dueAtMs + DAY_MS,
    });
    expect(toldOf(terms(), dueAtMs, 'ended', UNTIL + 1)).toEqual({ event: null, dueAtMs: null });
  });

  it('is both for a card that is active for less than three days', () => {
    const short = terms({ activeUntilMs: FROM + DAY_MS });
    expect(toldOf(short, FROM, 'lapsing', FROM).dueAtMs).toBe(FROM + 1);
  });

  it('is nothing more until a card that was looked at too early begins to lapse', () => {
    const lapsesMs = UNTIL - 3 * DAY_MS;
    expect(toldOf(terms(), lapsesMs, 'lapsing', lapsesMs - 1)).toEqual({
      event: null,
      dueAtMs: lapsesMs,
    });
  });

  it('ends with the first for a card without an end', () => {
    const endless = terms({ activeUntilMs: null });
    const later = toldOf(endless, FROM + DAY_MS, 'lapsing', FROM + DAY_MS);
    expect(later).toEqual({ event: null, dueAtMs: null });
    expect(toldOf(endless, FROM, 'chargeable', FROM).dueAtMs).toBeNull();
  });
});
