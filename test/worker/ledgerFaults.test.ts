/** An import and a repair that are cut off anywhere come to the same once they are made again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/time.ts';
import { upsertDisbursement } from '../../src/disbursements/mirrorStore.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import type { DisbursementRow } from '../../src/schema/disbursementTables.ts';
import { atTime, call, callAsAdmin, makeBooking, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, placesOf, spansOf, withFault } from '../support/faults.ts';
import { dispatchersAt, dispatchUntil, PlayedPms } from '../support/pms.ts';
import { exceptionsNow } from '../support/reconciliation.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails'], keepSpies: true });

const database = new Database(testEnv.DB, new Trace());

describe('a bank statement', () => {
  const text = [
    'Date;Amount;Text',
    '2027-02-15;500.00;first',
    '2027-02-15;7.00;x',
    '2027-02-15;7.00;x',
    '2027-03-20;1.00;later',
  ].join('\n');

  /** A property with one payout that the statement has and one that it lacks, and a way to import it. */
  async function hotel(property: string) {
    const token = await makeProperty(property);
    for (const [day, netMinor] of [
      ['2027-02-15', 50_000],
      ['2027-02-16', 60_000],
    ] as const) {
      const row: DisbursementRow = {
        propertyId: property,
        id: `po-${day}`,
        gateway: 'stripe',
        status: 'paid_out',
        currency: 'AUD',
        grossMinor: 0,
        feeMinor: 0,
        netMinor: 0,
        postedNetMinor: 0,
        postedFeeMinor: 0,
        itemCount: 0,
        description: 'PAYOUT',
        effectiveAtMs: 0,
        arrivalDate: day,
        dueAtMs: null,
        paysAtMs: null,
      };
      await database.batch('d1.disbursement.save', [upsertDisbursement(row)]);
      await testEnv.DB.prepare(
        'UPDATE disbursements SET gross_minor = ?1, net_minor = ?1 WHERE property_id = ?2 AND id = ?3',
      )
        .bind(netMinor, property, row.id)
        .run();
    }
    const csv = { date: 'Date', amount: 'Amount', description: 'Text' };
    return () => call('/bank-statement/v1/import', { format: 'csv', csv, text }, { token });
  }

  const outcome = async (property: string) => {
    const { results } = await testEnv.DB.prepare(
      'SELECT date, amount_minor, description, disbursement_id FROM bank_lines WHERE property_id = ? ORDER BY date, description',
    )
      .bind(property)
      .all();
    const exceptions = await exceptionsNow({ property });
    return {
      results,
      exceptions: exceptions.map(({ kind, ours, status }) => [
        kind,
        (ours as Readonly<Record<string, unknown>> | null)?.['id'],
        status,
      ]),
    };
  };

  it.each(faultKinds)('is imported once, wherever that is cut off: %s', async (kind) => {
    const whole = `whole-${kind.replace(' ', '-')}`;
    const load = await hotel(whole);
    const crossed = (await spansOf(load)).filter(({ boundary }) =>
      boundary.startsWith('d1.bankLine'),
    );
    expect(crossed.length).toBeGreaterThan(5);
    const expected = await outcome(whole);
    expect(expected.results).toHaveLength(4);
    expect(expected.exceptions).toEqual([['not_at_bank', 'po-2027-02-16', 'open']]);
    for (const { boundary, index, nth } of placesOf(kind, crossed, 3)) {
      const property = `${whole}-${index}`;
      const again = await hotel(property);
      await withFault({ boundary, nth }, kind, again);
      expect((await again()).status, `${boundary} ${nth}`).toBe(200);
      expect(await outcome(property), `${boundary} ${nth}`).toEqual(expected);
    }
  });
});

describe("a repair of the PMS's ledger", () => {
  /** Ahead of the real time, so that no alarm rings but when the test lets it. */
  const T = Date.now() + 10 * DAY_MS;
  const LATER = T + 20 * MINUTE_MS;
  let pms: PlayedPms;
  let token: string;

  beforeAll(async () => {
    pms = new PlayedPms('ledger-faults');
    dispatchersAt(T);
    token = await atTime(T, () => makeProperty('ledger-faults', { pms: pms.settings }));
  });

  afterAll(() => pms.leave());

  it.each(faultKinds)(
    'sends each message again once, wherever that is cut off: %s',
    async (kind) => {
      const references = Array.from({ length: 8 }, (_, at) => `${kind}-${at}`.replace(' ', '-'));
      await atTime(T, async () => {
        for (const reference of references) {
          await makeBooking(reference, GOOD, { token });
          await call('/payment/v1/create', { reference, amount: 10 }, { token });
          await call('/payment/v1/create', { reference, amount: 20 }, { token });
        }
      });
      await dispatchUntil(pms.url, T, T + MINUTE_MS);
      let places: { boundary: 'd1.ledger.read' | 'd1.ledger.save'; nth: number }[] = [];
      for (const reference of references) {
        const span = {
          from: new Date(T - MINUTE_MS).toISOString(),
          to: new Date(T + MINUTE_MS).toISOString(),
        };
        const others = (await booked()).filter((line) => line.reference !== reference);
        const compared = await atTime(LATER, () =>
          call('/pms-ledger/v1/compare', { ...span, lines: others }, { token }),
        );
        const { reportId } = compared.json.report;
        const repair = () =>
          atTime(LATER + MINUTE_MS, () => call('/pms-ledger/v1/repair', { reportId }, { token }));
        const place = places.shift();
        if (place) await withFault(place, kind, repair);
        const crossed = await spansOf(repair);
        if (places.length === 0 && !place) {
          places = crossed.flatMap(({ boundary, nth }) =>
            boundary === 'd1.ledger.read' || boundary === 'd1.ledger.save'
              ? [{ boundary, nth }]
              : [],
          );
          expect(places.length).toBeGreaterThanOrEqual(3);
        }
        const { json } = await callAsAdmin('/admin/v1/audit/list', {
          property: 'ledger-faults',
          reference,
        });
        const again = json.entries.filter(
          ({ from, to }) => from === 'Confirmed' && to === 'Pending',
        );
        expect(again, `${reference} ${JSON.stringify(place)}`).toHaveLength(2);
      }
    },
  );

  /** What the PMS has, as its ledger. */
  async function booked() {
    return pms.transactions().map((data) => ({
      transactionId: data['TransactionID'],
      reference: data['RelatedReference'] ?? '',
      type: data['Type'],
      amountGross: data['AmountGross'],
    }));
  }
});
