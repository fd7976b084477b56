import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsCardNumber } from '../../src/core/cardNumbers.ts';
import { lineIds } from '../../src/disbursements/bank/lineIds.ts';
import { readCamt } from '../../src/disbursements/bank/readCamt.ts';
import { isDateFormat, readCsv } from '../../src/disbursements/bank/readCsv.ts';
import {
  type StatementLine,
  withoutCardNumbers,
} from '../../src/disbursements/bank/rules/lines.ts';
import {
  namedPairs,
  nearestPairs,
  type Unlined,
} from '../../src/disbursements/bank/rules/matching.ts';
import { camt, entry, HOSTILE_XML } from '../support/bankStatements.ts';

const credit = {
  date: '2027-02-16',
  currency: 'AUD',
  amountMinor: 15_464,
  description: 'STRIPE PAYOUT po_1',
  reference: 'REF-1',
} satisfies StatementLine;

describe('a camt.053', () => {
  it.each(['02', '04', '08', '13'])('of version %s is read', async (version) => {
    const status = version === '02' ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>';
    expect(await readCamt(camt([entry({ status })], version))).toEqual([credit]);
  });

  it.each<[string, Parameters<typeof entry>[0], Partial<StatementLine>]>([
    ['a debit', { direction: 'DBIT' }, { amountMinor: -15_464 }],
    ['an amount without decimals', { amount: '154' }, { amountMinor: 15_400 }],
    [
      'a currency without decimals',
      { amount: '154', currency: 'JPY' },
      { amountMinor: 154, currency: 'JPY' },
    ],
    ['a time of booking', { day: '<BookgDt><DtTm>2027-02-16T23:59:00+01:00</DtTm></BookgDt>' }, {}],
    ['a day of value alone', { day: '<ValDt><Dt>2027-02-16</Dt></ValDt>' }, {}],
    ['no reference', { reference: '' }, { reference: null }],
    [
      'a reference that says that there is none',
      { reference: '<AcctSvcrRef>NOTPROVIDED</AcctSvcrRef>' },
      { reference: null },
    ],
    [
      'texts in its details',
      {
        text: '',
        details:
          '<NtryDtls><TxDtls><Refs><EndToEndId>po_1</EndToEndId></Refs><RmtInf><Ustrd>STRIPE\n PAYOUT</Ustrd></RmtInf></TxDtls></NtryDtls>',
      },
      { description: 'STRIPE PAYOUT po_1' },
    ],
    [
      'entities of XML',
      { text: '<AddtlNtryInf>A &amp; B &#60;C&#x3e;</AddtlNtryInf>' },
      { description: 'A & B <C>' },
    ],
    ['CDATA', { text: '<AddtlNtryInf><![CDATA[A & B]]></AddtlNtryInf>' }, { description: 'A & B' }],
  ])('may have an entry with %s', async (_what, parts, changes) => {
    expect(await readCamt(camt([entry(parts)]))).toEqual([{ ...credit, ...changes }]);
  });

  it('has only what is booked, and no line of nothing', async () => {
    const entries = [
      entry({ status: '<Sts>PDNG</Sts>' }),
      entry({ status: '<Sts><Cd>INFO</Cd></Sts>' }),
      entry({ amount: '0.00' }),
      entry(),
    ];
    expect(await readCamt(camt(entries))).toEqual([credit]);
    expect(await readCamt(camt([]))).toEqual([]);
  });

  it('may have a mark of byte order, prefixes, and no namespace', async () => {
    const plain = camt([entry()]);
    expect(await readCamt(`\uFEFF${plain}`)).toHaveLength(1);
    expect(await readCamt(plain.replace(/ xmlns="[^"]*"/, ''))).toHaveLength(1);
    const prefixed = plain.replaceAll(/<(\/?)([A-Z])/g, '<$1c:$2').replace(' xmlns=', ' xmlns:c=');
    expect(await readCamt(prefixed)).toHaveLength(1);
  });

  it.each(Object.entries(HOSTILE_XML))('is refused if it is %s', async (_what, text) => {
    await expect(readCamt(text)).rejects.toThrow(/^(?:The|A|An|Entry) /);
  });
});

const COLUMNS = { date: 'Date', amount: 'Amount', description: 'Text' };

describe('a CSV file of a bank', () => {
  const first = async (text: string, more: object = {}, currency = 'AUD') =>
    (await readCsv(text, { ...COLUMNS, ...more }, currency))[0];

  it.each([
    ['1234.5', 123_450],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['-1 234,50', -123_450],
    ['1234.50-', -123_450],
    ['AUD 12.00', 1_200],
    ['2,000,000,000.00', 200_000_000_000],
  ])('may write an amount as %s', async (amount, amountMinor) => {
    expect(await first(`Date;Amount;Text\n2027-02-16;${amount};x`)).toMatchObject({ amountMinor });
  });

  it('has all decimals of its currency', async () => {
    expect(await first('Date;Amount;Text\n2027-02-16;1.250;x', {}, 'KWD')).toMatchObject({
      amountMinor: 1_250,
    });
    expect(await first('Date;Amount;Text\n2027-02-16;1,250;x', {}, 'JPY')).toMatchObject({
      amountMinor: 1_250,
    });
  });

  it.each([
    ['2027-02-16', undefined],
    ['16-02-2027', undefined],
    ['16.02.2027', 'DD.MM.YYYY'],
    ['02/16/2027', 'MM/DD/YYYY'],
    ['20270216', 'YYYYMMDD'],
    ['16.02.2027 14:05', 'DD.MM.YYYY'],
  ])('may write a day as %s', async (date, dateFormat) => {
    const more = dateFormat === undefined ? {} : { dateFormat };
    expect(await first(`Date;Amount;Text\n${date};1;x`, more)).toMatchObject({
      date: '2027-02-16',
    });
  });

  it.each([',', ';', '\t', '|'])('may part its columns by %j', async (delimiter) => {
    const text = [
      ['Date', 'Amount', 'Text'],
      ['2027-02-16', '1.00', 'a b'],
      ['2027-02-17', '2.00', 'c'],
    ]
      .map((row) => row.join(delimiter))
      .join('\r\n');
    for (const named of [{}, { delimiter }]) {
      expect(await readCsv(text, { ...COLUMNS, ...named }, 'AUD')).toHaveLength(2);
    }
  });

  it('may have titles before its headers, further columns, quotes, sums and empty lines', async () => {
    const text =
      '\uFEFFStatement;;;\n\nNo; date ;TEXT;amount\n1;2027-02-16;"Paid; ""now""\nin two";"1,00"\n\n2;2027-02-17;;0,00\n;;Sum;\n';
    expect(await readCsv(text, COLUMNS, 'AUD')).toEqual([
      {
        date: '2027-02-16',
        currency: 'AUD',
        amountMinor: 100,
        description: 'Paid; "now" in two',
        reference: null,
      },
    ]);
  });

  it.each([
    ['hello', 'No row has the headers'],
    ['', 'No row has the headers'],
    ['Date;Amount\n2027-02-16;1', 'No row has the headers'],
    ['Date;Amount;Text\n2027-02-30;1;x', 'Row 2 has no day'],
    ['Date;Amount;Text\n2027-02-16;much;x', 'Row 2 has no amount of AUD'],
    ['Date;Amount;Text\n2027-02-16;;x', 'Row 2 has no amount of AUD'],
    ['Date;Amount;Text\n;5;x', 'Row 2 has no day'],
    ['Date;Amount;Text\n2027-02-16;1.0055;x', 'Row 2 has no amount'],
  ])('is refused as %j', async (text, why) => {
    await expect(readCsv(text, COLUMNS, 'AUD')).rejects.toThrow(why);
  });

  it.each([
    ['DD.MM.YYYY', true],
    ['YYYYMMDD', true],
    ['DD/MM/YY', false],
    ['D.M.YYYY', false],
    ['DD.MM.YYYY HH', false],
    ['DD.MM.YYYY DD', false],
    ['', false],
  ])('has days in the format %j: %s', (format, isOne) => {
    expect(isDateFormat(format)).toBe(isOne);
  });
});

const ids = (...lines: readonly StatementLine[]) => lineIds('hotel', lines);

describe('a line', () => {
  it('is the same by the reference of the bank, or else by day, amount, text and count', async () => {
    const plain = { ...credit, reference: null };
    const [ref, again, one, two, other] = await ids(
      credit,
      { ...credit, date: '2027-02-17', description: 'another text' },
      plain,
      plain,
      { ...plain, date: '2027-02-17' },
    );
    expect(new Set([ref, again, one, two, other]).size).toBe(5);
    expect(await ids(plain, credit)).toEqual([one, ref]);
    expect(await ids({ ...credit, description: 'as another bank writes it' })).toEqual([ref]);
  });

  it('keeps no card number', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '4242424242424242',
            '4242 4242-4242.4242',
            'AU',
            '12',
            ' ',
            'x',
            '①',
            '４',
          ),
          { maxLength: 12 },
        ),
        (parts) => !holdsCardNumber(withoutCardNumbers(parts.join(''))),
      ),
    );
    expect(withoutCardNumbers('PAYOUT 4242 4242 4242 4242 po_1')).toBe('PAYOUT …4242 po_1');
    expect(withoutCardNumbers('PAYOUT 2027-02-16 po_1')).toBe('PAYOUT 2027-02-16 po_1');
  });
});

function payout(id: string, changes: Partial<Unlined> = {}): Unlined {
  return {
    id,
    description: 'STRIPE PAYOUT',
    netMinor: 1_000,
    currency: 'AUD',
    arrivalDate: '2027-02-16',
    status: 'paid_out',
    ...changes,
  };
}

const named = (descriptions: readonly string[], payouts: readonly Unlined[], amountMinor = 5) =>
  namedPairs(
    descriptions.map((description, at) => ({
      id: `l${at}`,
      description,
      amountMinor,
      currency: 'AUD',
    })),
    payouts,
  ).map(({ disbursementId, lineId }) => `${lineId} ${disbursementId}`);

describe('the largest statement', () => {
  it('is imported in a part of the memory that a Worker has', { timeout: 240_000 }, async () => {
    const thread = new Worker(new URL('../support/bigStatement.ts', import.meta.url).pathname, {
      resourceLimits: { maxOldGenerationSizeMb: 72, maxYoungGenerationSizeMb: 16 },
    });
    const [{ bytes, imported }] = await once(thread, 'message');
    await thread.terminate();
    expect(bytes).toBeGreaterThan(7_900_000);
    expect(imported.value).toMatchObject({ lines: 100_000 });
  });
});

describe('what a line names', () => {
  it.each([
    ['the id', 'Ref po_1AbCdEf'],
    ['the id in capitals and without its signs', 'REF PO1ABCDEF//XX'],
    ['the id within other letters', 'xxpo1abcdefyy'],
  ])('is a disbursement by %s', (_how, description) => {
    expect(named([description], [payout('po_0'), payout('po_1AbCdEf')])).toEqual(['l0 po_1AbCdEf']);
  });

  it('is the one of its amount, where others name it too: a fee for it, or its return', () => {
    const lines = [-1_000, -25, 1_000, 1_000].map((amountMinor, at) => ({
      id: `l${at}`,
      description: 'Ref po_1AbCdEf',
      amountMinor,
      currency: 'AUD',
    }));
    expect(namedPairs(lines, [payout('po_1AbCdEf')])).toEqual([
      { lineId: 'l2', disbursementId: 'po_1AbCdEf' },
    ]);
  });

  it('is one by a text that only it has, or by a common one with its amount', () => {
    const days = [
      payout('sandbox-2027-02-13', { description: 'Payments and refunds of 2027-02-13' }),
      payout('sandbox-2027-02-14', { description: 'Payments and refunds of 2027-02-14' }),
    ];
    expect(named(['PAYMENTS AND REFUNDS OF 2027 02 14'], days)).toEqual(['l0 sandbox-2027-02-14']);
    expect(named(['STRIPE PAYOUT'], [payout('po_aaaaaa')])).toEqual([]);
    expect(named(['STRIPE PAYOUT'], [payout('po_aaaaaa')], 1_000)).toEqual(['l0 po_aaaaaa']);
  });

  it('is the longest name, once', () => {
    const payouts = [payout('po_1AbCdE'), payout('po_1AbCdEf')];
    expect(named(['po_1AbCdEf', 'po_1AbCdEf', 'po_1AbCdE'], payouts)).toEqual([
      'l0 po_1AbCdEf',
      'l1 po_1AbCdE',
    ]);
    expect(named(['anything'], [])).toEqual([]);
  });
});

describe('lines with an amount', () => {
  it('are the disbursements whose days are nearest, one each', () => {
    const pair = (lineId: string, date: string, disbursementId: string, arrivalDate: string) => ({
      lineId,
      date,
      disbursementId,
      arrivalDate,
    });
    const pairs = nearestPairs([
      pair('l1', '2027-02-12', 'd1', '2027-02-10'),
      pair('l1', '2027-02-12', 'd2', '2027-02-12'),
      pair('l2', '2027-02-13', 'd1', '2027-02-10'),
      pair('l2', '2027-02-13', 'd2', '2027-02-12'),
    ]);
    expect(pairs).toEqual([
      { lineId: 'l1', disbursementId: 'd2' },
      { lineId: 'l2', disbursementId: 'd1' },
    ]);
  });
});
