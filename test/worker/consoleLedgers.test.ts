import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callAsAdmin, makeBooking, makeProperty } from '../support/api.ts';
import { camt, entry } from '../support/bankStatements.ts';
import { GOOD } from '../support/cards.ts';
import { words } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import type { Guest } from '../support/guest.ts';
import { moneyTold } from '../support/messages.ts';
import { PlayedPms } from '../support/pms.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'mails'], keepSpies: true });

let pms: PlayedPms;
let token: string;
let manager: Guest;
let desk: Guest;

const STATEMENT = '/console/bank-statement?property=ledgers';
const LEDGER = '/console/pms-ledger?property=ledgers';

beforeAll(async () => {
  pms = new PlayedPms('ledgers');
  token = await makeProperty('ledgers', { pms: pms.settings });
  for (const [name, role] of Object.entries({ manager: 'manager', desk: 'cashier' })) {
    await putUser({ email: `${name}@ledgers.localhost`, role, property: 'ledgers' });
  }
  manager = await signedIn('manager@ledgers.localhost');
  desk = await signedIn('desk@ledgers.localhost');
});

afterAll(() => pms.leave());

describe("the bank's statement in the console", () => {
  it('is imported as a file, and shows the lines that are no payout', async () => {
    await manager.open(STATEMENT);
    expect(words(manager)).toContain('No line without a payout.');
    await manager.upload(STATEMENT, {}, camt([entry(), entry({ reference: '' })]));
    expect(words(manager)).toContain(
      '2 lines were read: 0 matched a payout, 2 did not, 0 had been imported before.',
    );
    expect(words(manager)).toContain('STRIPE PAYOUT po_1');
    expect(words(manager)).toContain('lines without a payout as CSV');
    await manager.open(`${STATEMENT}&format=csv`);
    expect(manager.page.html.trimEnd().split('\r\n').slice(1)).toEqual([
      '"2027-02-16","STRIPE PAYOUT po_1","AUD",154.64',
      '"2027-02-16","STRIPE PAYOUT po_1","AUD",154.64',
    ]);
  });

  it('may be the CSV file of an older program, whose columns are named', async () => {
    const columns = {
      date: 'Tag',
      amount: 'Betrag',
      description: 'Text',
      dateFormat: 'DD.MM.YYYY',
    };
    await manager.upload(STATEMENT, columns, 'Tag;Betrag;Text\n01.03.2027;-1.234,50;Miete');
    expect(words(manager)).toContain('1 line was read: 0 matched a payout, 1 did not');
    expect(words(manager)).toMatch(/1 Mar(?:ch)? 2027 Miete −AUD 1,234\.50/);
  });

  it('says what is wrong with a file, and takes none from who only sees reports', async () => {
    await manager.upload(STATEMENT, {}, 'hello');
    expect([manager.page.status, words(manager)]).toEqual([
      422,
      expect.stringContaining('No row has the headers Date, Amount, Description.'),
    ]);
    await manager.upload(STATEMENT, {}, '');
    expect(manager.page.status).toBe(422);
    await desk.upload(STATEMENT, {}, camt([entry()]));
    expect(desk.page.status).toBe(403);
  });

  it.each([
    ['an MT940', '\r\n:20:STARTUMS\r\n:25:12345'],
    ['an MT940 of SWIFT', '{1:F01BANKDEFF}{4:\n:20:START'],
    ['a picture', '\u0089PNG\r\n\u001A\n\0\0\0\rIHDR'],
    ['a spreadsheet', 'PK\u0003\u0004\u0014\0\u0006\0'],
  ])('says of %s which files it reads', async (_, file) => {
    await manager.upload(STATEMENT, {}, file);
    expect([manager.page.status, words(manager)]).toEqual([
      422,
      expect.stringContaining('Only camt.053 and CSV files can be read.'),
    ]);
  });

  it('keeps what was typed beside the form, of a file that is refused and of one that is read', async () => {
    const columns = { date: 'Tag', amount: 'Betrag', description: 'Text' };
    const kept = (name: string) =>
      new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(manager.page.html)?.[1];
    await manager.upload(STATEMENT, { ...columns, dateFormat: 'DD.MM.YYYY' }, 'Tag;Wert\n');
    expect(words(manager)).toMatch(/The file was not imported No row has the headers Tag/);
    expect(words(manager)).toContain('Lines without a payout');
    expect(['date', 'amount', 'description', 'dateFormat'].map(kept)).toEqual([
      'Tag',
      'Betrag',
      'Text',
      'DD.MM.YYYY',
    ]);
    const file = 'Tag;Betrag;Text\n02.03.2027;-10,50;Strom';
    await manager.upload(STATEMENT, { ...columns, dateFormat: 'TT.MM.JJJJ' }, file);
    expect(manager.page.status).toBe(422);
    expect(manager.page.html).toMatch(
      /value="TT\.MM\.JJJJ"[^>]*aria-invalid.*Write it with DD, MM and YYYY\./s,
    );
    await manager.upload(STATEMENT, { ...columns, dateFormat: 'DD.MM.YYYY ' }, file);
    expect(words(manager)).toContain('1 line was read');
    expect(['date', 'amount', 'description', 'dateFormat'].map(kept)).toEqual([
      'Tag',
      'Betrag',
      'Text',
      'DD.MM.YYYY',
    ]);
  });
});

describe("the PMS's ledger in the console", () => {
  it('is compared as a file, shows what differs, and is repaired', async () => {
    await makeBooking('CONSOLE-LEDGER', GOOD, { token });
    for (const amount of [10, 20, 30]) {
      await call('/payment/v1/create', { reference: 'CONSOLE-LEDGER', amount }, { token });
    }
    await eventually(async () => expect(pms.transactions()).toHaveLength(3));
    const [lost, changed, kept] = await moneyTold('CONSOLE-LEDGER');
    const row = (data = lost, amount = data?.['AmountGross']) =>
      [data?.['TransactionID'], data?.['RelatedReference'], data?.['Type'], amount].join(',');
    const text = [
      'Transaction ID,Reference,Type,Amount',
      row(changed, '1.00'),
      row(kept),
      row(kept),
      ',WALK-IN,refund,5',
    ].join('\n');
    const today = new Date().toISOString().slice(0, 10);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await eventually(async () => {
      const { json } = await callAsAdmin('/admin/v1/outbox/list', {
        property: 'ledgers',
        reference: 'CONSOLE-LEDGER',
        status: 'Confirmed',
      });
      expect(json.messages.length).toBeGreaterThanOrEqual(3);
    });
    await manager.upload(LEDGER, { from: today, to: tomorrow }, text);
    expect(manager.page.path).toMatch(/report=/);
    const page = words(manager);
    expect(page).toContain('Send it again');
    expect(page).toMatch(/The PMS has these, and we never sent them .* WALK-IN Refund AUD 5.00/);
    expect(page).toMatch(
      new RegExp(
        `These differ .* ${changed?.['TransactionID']} Amount ${changed?.['AmountGross']} 1.00`,
      ),
    );
    const report = /report=([0-9a-f-]+)/.exec(manager.page.path)?.[1] ?? '';
    await manager.open(`${LEDGER}&report=${report}&table=missing&format=csv`);
    expect(manager.page.html).toContain(`"CONSOLE-LEDGER","Payment",${lost?.['AmountGross']}`);
    await manager.post('/console/pms-ledger-repair', { property: 'ledgers', report });
    expect(words(manager)).toContain('1 message is sent again.');
    await eventually(async () => expect(pms.transactions()).toHaveLength(4));
    expect(pms.transactions().at(-1)).toEqual(lost);
    await manager.post('/console/pms-ledger-repair', { property: 'ledgers', report });
    expect(words(manager)).toContain('Nothing had to be sent');
  });

  it('shows twenty lines of a kind, and the others on its next pages; its file has all', async () => {
    const lines = Array.from({ length: 45 }, (_, at) => `MANY-${at + 1},Payment,5`);
    const text = ['reference,type,amount', ...lines].join('\n');
    await manager.upload(LEDGER, { from: '2027-02-14', to: '2027-02-14' }, text);
    const report = manager.page.path;
    const seen: string[] = [];
    for (let next: string | undefined = report; next !== undefined; ) {
      await manager.open(next);
      seen.push(...[...manager.page.html.matchAll(/<bdi>(MANY-\d+)/g)].map(([, one = '']) => one));
      next = /href="([^"]*unknownAfter=[^"]*)"/
        .exec(manager.page.html)?.[1]
        ?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `MANY-${at + 1}`));
    await manager.open(`${report}&table=unknown&format=csv`);
    expect(manager.page.html.trimEnd().split('\r\n')).toHaveLength(46);
  });

  it('is refused with the row at fault, and not shown to who may not repair it', async () => {
    const days = { from: '2027-02-14', to: '2027-02-14' };
    for (const [text, why] of [
      ['hello', 'The first row must have the headers'],
      ['reference,type,amount\nA,Sale,5', 'Row 2 has a type other than'],
      ['reference,type,amount\nA,Payment,x', 'Row 2 has no amount of AUD'],
      ['', 'Choose a file'],
    ] as const) {
      await manager.upload(LEDGER, days, text);
      expect([manager.page.status, words(manager)]).toEqual([422, expect.stringContaining(why)]);
    }
    expect(manager.page.html).toMatch(/name="from"[^>]*value="2027-02-14"/);
    await manager.upload(LEDGER, { to: '2027-02-14' }, 'reference,type,amount');
    expect([manager.page.status, words(manager)]).toEqual([
      422,
      expect.stringContaining('From Enter a day.'),
    ]);
    expect(manager.page.html).toMatch(/name="to"[^>]*value="2027-02-14"/);
    await desk.open(LEDGER);
    expect(desk.page.status).toBe(403);
    await manager.open(`${LEDGER}&report=01998f00-0000-7000-8000-000000000000`);
    expect(manager.page.status).toBe(404);
  });
});
