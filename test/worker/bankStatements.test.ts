import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { endDisbursement } from '../../src/disbursements/advance.ts';
import { selectBankLines } from '../../src/disbursements/bank/list.ts';
import {
  insertLines,
  selectCandidates,
  selectLinesOf,
  selectNotAtBank,
  selectUnlined,
} from '../../src/disbursements/bank/store.ts';
import { upsertDisbursement } from '../../src/disbursements/mirrorStore.ts';
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import type { DisbursementRow } from '../../src/schema/disbursementTables.ts';
import { adminToken, call, callAsAdmin, makeProperty, testEnv } from '../support/api.ts';
import { camt, entry, HOSTILE_XML } from '../support/bankStatements.ts';
import { howMany } from '../support/long.ts';
import { planOf } from '../support/plans.ts';
import { exceptionsNow } from '../support/reconciliation.ts';

const database = new Database(testEnv.DB, new Trace());
const CSV = { date: 'Date', amount: 'Amount', description: 'Text' };

let made = 0;

/** A property with disbursements, one for each day and amount in minor units, and a way to call as its client. */
async function hotelWith(paid: Readonly<Record<string, number>>) {
  made += 1;
  const property = `bank-${made}`;
  const token = await makeProperty(property);
  for (const [arrivalDate, netMinor] of Object.entries(paid)) {
    const row: DisbursementRow = {
      propertyId: property,
      id: `po_${property}_${arrivalDate}`,
      gateway: 'stripe',
      status: 'in_transit',
      currency: 'AUD',
      grossMinor: netMinor,
      feeMinor: 0,
      netMinor,
      description: 'STRIPE PAYOUT',
      effectiveAtMs: Date.parse(`${arrivalDate}T00:00:00Z`) - 2 * DAY_MS,
      arrivalDate,
      dueAtMs: null,
      paysAtMs: null,
      postedFeeMinor: 0,
      itemCount: 0,
      postedNetMinor: 0,
    };
    await database.batch('d1.disbursement.save', [upsertDisbursement(row)]);
    await testEnv.DB.prepare(
      'UPDATE disbursements SET gross_minor = ?1, net_minor = ?1 WHERE id = ?2',
    )
      .bind(netMinor, row.id)
      .run();
    await endDisbursement(database, { ...row, status: 'paid_out' }, Date.now());
  }
  const post = async (path: string, body: object, headers = {}) =>
    call(path, body, { token, headers });
  const load = async (sent: object, headers = {}) => {
    const { json, status } = await post('/bank-statement/v1/import', sent, headers);
    expect(status, JSON.stringify(json)).toBe(200);
    const { lines, matched, repeated, unmatched } = json as unknown as Record<string, number>;
    return [lines, matched, unmatched, repeated];
  };
  const csv = (...rows: readonly string[]) =>
    load({ format: 'csv', csv: CSV, text: ['Date;Amount;Text', ...rows].join('\n') });
  const listed = async (of: object = {}) => {
    const { json } = await post('/bank-statement/v1/list', of);
    return (json as unknown as { lines: Record<string, unknown>[] }).lines;
  };
  const bankLines = async () => {
    const { json } = await post('/disbursement/v1/get-all', {});
    const all = (
      json as unknown as { disbursements: { bankLine: { description: string } | null }[] }
    ).disbursements;
    return all.map(({ bankLine }) => bankLine?.description ?? null);
  };
  return { property, token, post, load, csv, listed, bankLines };
}

describe('a bank statement', () => {
  it('in camt.053 is read, matched and shown with its disbursements', async () => {
    const hotel = await hotelWith({ '2027-02-15': 15_464, '2027-02-16': 99_900 });
    const text = camt(
      [
        entry(),
        entry({
          reference: '',
          amount: '12.00',
          text: '<AddtlNtryInf>Fees</AddtlNtryInf>',
          direction: 'DBIT',
        }),
      ],
      '08',
    );
    expect(await hotel.load({ format: 'camt.053', text })).toEqual([2, 1, 1, 0]);
    const [line, other] = await hotel.listed({ status: 'matched' });
    expect([line, other]).toEqual([
      {
        lineId: expect.stringMatching(/^[0-9a-f]{32}$/),
        date: '2027-02-16',
        amount: 154.64,
        currency: 'AUD',
        description: 'STRIPE PAYOUT po_1',
        status: 'matched',
        disbursementId: `po_${hotel.property}_2027-02-15`,
      },
      undefined,
    ]);
    expect(await hotel.listed({ status: 'unmatched' })).toMatchObject([
      { amount: -12, description: 'Fees', status: 'unmatched', disbursementId: null },
    ]);
    expect(await hotel.bankLines()).toEqual([null, 'STRIPE PAYOUT po_1']);
    const disbursementId = line?.['disbursementId'];
    const { json } = await hotel.post('/disbursement/v1/get-details', { disbursementId });
    expect((json as unknown as { disbursement: object }).disbursement).toMatchObject({
      bankLine: line,
    });
  });

  it('counts a line once however often it comes, and two in one file as two', async () => {
    const hotel = await hotelWith({});
    const row = '2027-02-16;5,00;Coffee';
    expect(await hotel.csv(row, row, '2027-02-17;5,00;Coffee')).toEqual([3, 0, 3, 0]);
    expect(await hotel.csv(row)).toEqual([1, 0, 0, 1]);
    expect(await hotel.csv(row, row, row)).toEqual([3, 0, 1, 2]);
    const first = camt([entry({ text: '' })]);
    expect(await hotel.load({ format: 'camt.053', text: first })).toEqual([1, 0, 1, 0]);
    expect(await hotel.load({ format: 'camt.053', text: camt([entry()]) })).toEqual([1, 0, 0, 1]);
    expect(await hotel.listed()).toHaveLength(5);
  });

  it('has one answer for a key', async () => {
    const hotel = await hotelWith({});
    const sent = { format: 'csv', csv: CSV, text: 'Date;Amount;Text\n2027-02-16;5;x' };
    const key = { 'Idempotency-Key': 'statement-1' };
    expect(await hotel.load(sent, key)).toEqual([1, 0, 1, 0]);
    expect(await hotel.load(sent, key)).toEqual([1, 0, 1, 0]);
    expect(await hotel.load(sent)).toEqual([1, 0, 0, 1]);
  });

  it.each([
    ['2027-02-13', false],
    ['2027-02-14', true],
    ['2027-02-22', true],
    ['2027-02-23', false],
  ])('with the amount of a disbursement of 15 February on %s: %s', async (day, matches) => {
    const hotel = await hotelWith({ '2027-02-15': 50_000 });
    const [, matched] = await hotel.csv(`${day};500.00;x`);
    expect(matched).toBe(matches ? 1 : 0);
  });

  it('is matched by an id whatever the amount and the day, and each disbursement once', async () => {
    const hotel = await hotelWith({ '2027-02-15': 50_000, '2027-02-16': 50_000 });
    const id = `po_${hotel.property}_2027-02-15`;
    expect(await hotel.csv(`2027-03-20;499.00;REF ${id.toUpperCase()}`)).toEqual([1, 1, 0, 0]);
    expect(await hotel.csv('2027-02-16;500.00;x', '2027-02-16;500.00;y')).toEqual([2, 1, 1, 0]);
    expect(await hotel.bankLines()).toEqual([
      expect.stringMatching(/^[xy]$/),
      `REF ${id.toUpperCase()}`,
    ]);
  });

  it('that comes before its disbursement is known is matched by the next one', async () => {
    const hotel = await hotelWith({});
    expect(await hotel.csv('2027-02-16;500.00;early')).toEqual([1, 0, 1, 0]);
    const later = await hotelWith({ '2027-02-15': 50_000 });
    await testEnv.DB.prepare('UPDATE disbursements SET property_id = ? WHERE property_id = ?')
      .bind(hotel.property, later.property)
      .run();
    expect(await hotel.csv('2027-02-17;1.00;x')).toEqual([1, 0, 1, 0]);
    expect(await hotel.bankLines()).toEqual(['early']);
  });

  it('that lacks a payout makes an exception once later days have come, and closes it with its line', async () => {
    const hotel = await hotelWith({ '2027-02-15': 50_000, '2027-02-16': 60_000 });
    const exceptions = () => exceptionsNow({ property: hotel.property });
    await hotel.csv('2027-02-22;1.00;x');
    expect(await exceptions()).toEqual([]);
    await hotel.csv('2027-02-23;1.00;x');
    expect(await exceptions()).toMatchObject([
      {
        kind: 'not_at_bank',
        property: hotel.property,
        reference: null,
        status: 'open',
        ours: {
          status: 'paid_out',
          amount: 500,
          currency: 'AUD',
          id: `po_${hotel.property}_2027-02-15`,
        },
        theirs: null,
      },
    ]);
    await hotel.csv('2027-02-23;1.00;x', '2027-02-17;500.00;late');
    expect(await exceptions()).toMatchObject([{ status: 'closed', resolution: 'corrected' }]);
  });

  it('is noted in the audit trail of the property', async () => {
    const hotel = await hotelWith({});
    await hotel.csv('2027-02-16;5;x');
    const { json } = await callAsAdmin('/admin/v1/audit/list', { property: hotel.property });
    expect(json.entries.at(-1)).toMatchObject({
      subject: 'bank-statement',
      to: '1 lines of 2027-02-16 to 2027-02-16, 0 repeated',
    });
  });

  it('of very many lines is imported whole, and again without a new line', async () => {
    const many = howMany.statementLines;
    const hotel = await hotelWith({ '2027-02-15': 50_000 });
    const rows = Array.from({ length: many - 1 }, (_, at) => {
      return `2027-0${1 + (at % 9)}-${10 + (at % 18)};${at}.${10 + (at % 90)};Guest payment no. ${at}, thank you`;
    });
    expect(await hotel.csv(...rows, '2027-02-16;500.00;payout')).toEqual([many, 1, many - 1, 0]);
    expect(await hotel.csv(...rows.slice(0, 5_000))).toEqual([5_000, 0, 0, 5_000]);
  });
});

describe('a text that is no statement', () => {
  it('is refused, and imports nothing', async () => {
    const hotel = await hotelWith({});
    const refused = async (sent: object) => {
      const { json, status } = await hotel.post('/bank-statement/v1/import', sent);
      return [status, json.errors?.map(({ code, field }) => `${field}: ${code}`)];
    };
    for (const text of Object.values(HOSTILE_XML)) {
      expect(await refused({ format: 'camt.053', text })).toEqual([422, ['text: invalid_format']]);
    }
    const half = 'Date;Amount;Text\n2027-02-16;5;x\n2027-02-17;much;x';
    expect(await refused({ format: 'csv', csv: CSV, text: half })).toEqual([
      422,
      ['text: invalid_format'],
    ]);
    expect(await refused({ format: 'csv', text: half })).toEqual([422, ['csv: required']]);
    expect(await refused({ format: 'mt940', text: half })).toEqual([
      422,
      ['format: invalid_value'],
    ]);
    const strange = { ...CSV, dateFormat: 'D/M/Y', delimiter: ';;' };
    expect(await refused({ format: 'csv', csv: strange, text: half })).toEqual([
      422,
      ['csv.delimiter: too_big', 'csv.dateFormat: invalid_format'],
    ]);
    expect(await hotel.listed()).toEqual([]);
  });

  it('may be larger than other bodies, up to 8 MiB', async () => {
    const hotel = await hotelWith({});
    const text = `Date;Amount;Text\n2027-02-16;5;${'x'.repeat(1_000_000)}`;
    expect(await hotel.load({ format: 'csv', csv: CSV, text })).toEqual([1, 0, 1, 0]);
    const large = { format: 'csv', csv: CSV, text: 'x'.repeat(8 * 1024 * 1024) };
    expect((await hotel.post('/bank-statement/v1/import', large)).status).toBe(413);
  });
});

describe('an administrator', () => {
  const sent = { format: 'csv', csv: CSV, text: 'Date;Amount;Text\n2027-02-16;5;x' };

  it('names the property, whose client may name it too, and no other', async () => {
    const hotel = await hotelWith({});
    const { property } = hotel;
    expect((await callAsAdmin('/bank-statement/v1/import', { ...sent, property })).status).toBe(
      200,
    );
    expect(await hotel.load({ ...sent, property })).toEqual([1, 0, 0, 1]);
    const token = await adminToken();
    const unnamed = await call('/bank-statement/v1/import', sent, { token });
    expect([unnamed.status, unnamed.json.errors?.[0]?.field]).toEqual([422, 'property']);
    for (const other of ['demo', 'nobody']) {
      const { json, status } = await hotel.post('/bank-statement/v1/import', {
        ...sent,
        property: other,
      });
      expect([status, json.code]).toEqual([404, 'property_not_found']);
    }
    const nobody = await callAsAdmin('/bank-statement/v1/import', { ...sent, property: 'nobody' });
    expect([nobody.status, nobody.json.code]).toEqual([404, 'property_not_found']);
  });
});

describe('however many lines a property has, SQLite', () => {
  const days = { from: '2027-02-01', to: '2027-02-28' };

  it.each([
    ['all', {}, 'bank_lines_by_date (property_id=?)'],
    ['those of days', days, 'bank_lines_by_date (property_id=? AND date>? AND date<?)'],
    ['the matched', { status: 'matched' }, 'bank_lines_by_status (property_id=? AND status=?)'],
    [
      'the unmatched',
      { status: 'unmatched', ...days },
      'bank_lines_by_status (property_id=? AND status=? AND date>? AND date<?)',
    ],
  ] as const)('lists %s by an index, in its order', async (_which, of, index) => {
    const plan = await planOf(selectBankLines('p', of, { limit: 50 }));
    expect(plan).toContain(index);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  it('finds what a statement may be by indexes', async () => {
    const plans = [
      await planOf(selectUnlined('p', days)),
      await planOf(selectCandidates('p', days)),
      await planOf(selectNotAtBank('p')),
      await planOf(selectLinesOf('p', sql`SELECT value AS id FROM json_each('[]')`)),
      await planOf(insertLines([])),
    ].join('\n');
    expect(plans).toMatch(
      /disbursements_by_arrival \(property_id=\? AND arrival_date>\? AND arrival_date<\?\)/,
    );
    expect(plans).toMatch(
      /bank_lines_by_status \(property_id=\? AND status=\? AND date>\? AND date<\?\)/,
    );
    expect(plans).toMatch(/SEARCH bank_lines USING INDEX bank_lines_of_disbursement/);
    expect(plans).not.toMatch(
      /SCAN (?:disbursements|bank_lines)|bank_lines USING PRIMARY KEY \(property_id=\?\)/,
    );
  });
});
