import { type Child, Fragment, jsx } from 'hono/jsx';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/time.ts';
import type { PayoutItem } from '../../src/desk/reports/payouts.ts';
import type { ReportSums } from '../../src/desk/reports/read.ts';
import { reportOf } from '../../src/desk/reports/report.ts';
import { periodsOf } from '../../src/desk/reports/rules.ts';
import { movements } from '../../src/schema/historyTables.ts';
import type { PropertyRow } from '../../src/schema/propertyTables.ts';
import { ListSection } from '../../src/sites/console/lists/list.tsx';
import { itemsOf, PayoutParts } from '../../src/sites/console/lists/payouts.tsx';
import { ReportParts } from '../../src/sites/console/reports/reportPage.tsx';
import { framed } from '../../src/sites/console/site.tsx';

/** The most that a page may weigh. */
const MOST_BYTES = 30 * 1024;

const property = {
  id: 'a-property-with-a-long-id',
  name: 'The Grand Hotel of Somewhere',
  portfolio: 'all',
  currency: 'AUD',
  timeZone: 'Australia/Lord_Howe',
} as PropertyRow;

const person = {
  id: 'u',
  email: 'manager@hotel.com',
  name: 'Kim Lee',
  language: null,
  role: 'manager',
  propertyId: null,
  portfolio: null,
  refundLimitMinor: null,
  refundLimitCurrency: null,
} as const;

const weight = (here: string, content: Child) => {
  const page: unknown = framed({ person, property }, { title: here, here }, content);
  return new TextEncoder().encode(String(page)).length;
};

describe('the heaviest page', () => {
  it('of a report, every day of a month full of everything', () => {
    const span = { from: '2026-10-01', to: addDays('2026-10-01', 30) };
    const periods = periodsOf(span, 'day');
    const all = <Sum extends object>(sum: Sum) =>
      periods.map((_, period) => ({ period, currency: 'AUD', ...sum }));
    const amounts = { number: 12_345, amountMinor: 123_456_789, feeMinor: 3_456_789 };
    const sums: ReportSums = {
      moved: [...movements, 'hold' as const].flatMap((kind) => all({ kind, ...amounts })),
      untaken: ['insufficient_funds', 'lost_card', 'expired_card', 'generic_decline'].flatMap(
        (declineCode) => all({ status: 'Declined', declineCode, ...amounts } as const),
      ),
      acquirerFees: all({ feeMinor: 1_234_567 }),
      cancellations: [],
    };
    const people = Array.from(
      { length: 12 },
      (_, number) => `Maximiliane Bergmann-Lindqvist ${number}`,
    );
    const shares = people.flatMap((actorName) =>
      ['visa', 'mastercard', 'amex', null].map((brand) => ({
        currency: 'AUD',
        kind: 'charge' as const,
        purpose: 'Balance' as const,
        brand,
        agency: null,
        actor: actorName,
        actorName,
        number: 12_345,
        amountMinor: 123_456_789,
      })),
    );
    const report = reportOf(property, span, { periods, step: 'day', sums, shares }, 'AUD');
    const shown = { typed: span, choices: [], report };
    // Each day and each part leads to the payments behind it, by an address of a hundred characters.
    expect(weight('report', jsx(ReportParts, shown))).toBeLessThan(MOST_BYTES + 6 * 1024);
  });

  it('of a payout, with long names', () => {
    const amounts = { grossMinor: 123_456_789, feeMinor: 3_456_789, netMinor: 120_000_000 };
    const items = Array.from({ length: 40 }, (_, number) => ({
      id: `txn_${number}`,
      disbursementId: 'po_1',
      gatewayTransactionId: `ch_${number}`,
      description: `BOOKING-REFERENCE-${number}`,
      category: 'refund_failure',
      currency: 'AUD',
      ...amounts,
      effectiveAtMs: Date.UTC(2026, 9, 1),
      reference: `BOOKING-REFERENCE-${number}`,
      firstName: 'Maximiliana Josephine',
      lastName: 'von Hohenlohe-Schillingsfürst',
    })) satisfies PayoutItem[];
    const row = {
      propertyId: property.id,
      id: 'po_1',
      gateway: 'stripe',
      status: 'paid_out',
      currency: 'AUD',
      ...amounts,
      description: 'STRIPE PAYOUT',
      effectiveAtMs: 0,
      arrivalDate: '2026-10-03',
      dueAtMs: null,
      paysAtMs: null,
    } as const;
    const payout = { row, sums: [{ category: 'sale', number: 40, ...amounts } as const] };
    const view = { person, shown: property, nowMs: 0 };
    const list = { view, list: itemsOf(property, 'po_1'), rows: items };
    const content = jsx(Fragment, {}, jsx(PayoutParts, payout), jsx(ListSection<PayoutItem>, list));
    expect(weight('disbursements', content)).toBeLessThan(MOST_BYTES);
  });
});
