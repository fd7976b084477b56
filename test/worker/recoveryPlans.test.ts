import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src/platform/db/database.ts';
import { selectDueBookings, selectOverdueBookings } from '../../src/records/bookings/dueStore.ts';
import { replanExpiryWarnings } from '../../src/records/properties/store.ts';
import {
  recheckCard,
  selectDueRecoveries,
  selectProblems,
} from '../../src/records/recoveries/store.ts';
import { recoveries } from '../../src/schema/recoveryTables.ts';
import { planOf } from '../support/plans.ts';

const none = { reference: undefined, fromMs: undefined, toMs: undefined };

describe('however many cards fail, SQLite', () => {
  it.each<[string, Statement, string]>([
    ['what is overdue', selectOverdueBookings(recoveries, 1, 200), 'recoveries_due (due_at_ms<?)'],
    [
      'what a property has due',
      selectDueBookings(recoveries, { propertyId: 'demo', untilMs: 1 }, 1),
      'recoveries_due (due_at_ms<?)',
    ],
    [
      'what a booking has due',
      selectDueRecoveries({ propertyId: 'demo', reference: 'RES-1' }),
      'recoveries_by_booking (property_id=? AND booking_reference=?)',
    ],
    [
      "a property's problems",
      selectProblems('demo', none, { limit: 200 }),
      'recoveries_by_time (property_id=?)',
    ],
    [
      'the next of them',
      selectProblems('demo', none, { limit: 200, after: [1, 1] }),
      'recoveries_by_time (property_id=? AND charge_at_ms>?)',
    ],
    [
      'those of some days',
      selectProblems('demo', { ...none, fromMs: 1, toMs: 2 }, { limit: 200 }),
      'recoveries_by_time (property_id=? AND charge_at_ms>? AND charge_at_ms<?)',
    ],
    [
      "a booking's problems",
      selectProblems('demo', { ...none, reference: 'RES-1' }, { limit: 200 }),
      'recoveries_by_booking (property_id=? AND booking_reference=?)',
    ],
    ["a card's", recheckCard('demo', 'card', 1), 'recoveries_by_card (card_token=?)'],
    [
      'what a changed property plans anew',
      replanExpiryWarnings({ id: 'demo', cardRecovery: null }, 1),
      'recoveries_by_booking (property_id=?)',
    ],
  ])('finds %s by its index', async (_what, statement, index) => {
    const plan = await planOf(statement);
    expect(plan).toContain(`INDEX ${index}`);
    expect(plan).not.toMatch(/SCAN (?!\(|CONSTANT)/);
  });
});
