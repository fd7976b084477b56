/** The PMS's ledger against archived bookings: lines that name one are compared with what its file has. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/core/time.ts';
import { call, makeBooking, testEnv } from '../support/api.ts';
import { archiveAll, dismissMessages, rowsOf } from '../support/archived.ts';
import { GOOD } from '../support/cards.ts';
import { withoutTriggers } from '../support/restore.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'news', 'pms', 'mails'], freshDatabase: true });

interface Line {
  readonly transactionId?: string;
  readonly reference: string;
  readonly type: string;
  readonly amountGross: number;
  readonly processedTime: string;
}

interface Report {
  readonly matched: number;
  readonly missingAtPms: readonly Required<Line>[];
  readonly unknownHere: readonly object[];
  readonly twiceAtPms: readonly object[];
  readonly different: readonly object[];
}

async function compared(lines: readonly object[]): Promise<Omit<Report, 'reportId'>> {
  const span = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const { json, status } = await call('/pms-ledger/v1/compare', { ...span, lines });
  expect(status, JSON.stringify(json)).toBe(200);
  const { reportId: _own, ...report } = json['report'] as unknown as Report & { reportId: string };
  return report;
}

/** A booking with a charge and a refund, and the PMS's lines of them. */
async function booked(reference: string): Promise<Required<Line>[]> {
  await makeBooking(reference, GOOD);
  await call('/payment/v1/create', { reference, amount: 100 });
  await call('/refund/v1/create', { reference, amount: 30 });
  await dismissMessages();
  const { missingAtPms } = await compared([]);
  return missingAtPms.map(({ amountGross, processedTime, transactionId, type }) => ({
    transactionId,
    reference,
    type,
    amountGross,
    processedTime,
  }));
}

async function archived(reference: string): Promise<void> {
  expect((await archiveAll()).json).toEqual({ success: true, archived: 1 });
  expect(await rowsOf(reference)).toBe(0);
}

/** A report of the whole span without any line, by its id. */
async function reported(): Promise<string> {
  const span = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  const { json } = await call('/pms-ledger/v1/compare', { ...span, lines: [] });
  return (json['report'] as unknown as { reportId: string }).reportId;
}

const withoutId = ({ transactionId: _id, ...line }: Line): Line => line;

describe('lines that name an archived booking', () => {
  it.each(['kept', 'let go of'])('are matched with its messages: %s', async (messages) => {
    const lines = await booked('ARC-1');
    expect(lines).toHaveLength(2);
    const all = [lines, lines.map(withoutId)];
    if (messages === 'let go of') await withoutTriggers([testEnv.DB.prepare('DELETE FROM outbox')]);
    const before = await Promise.all(all.map(compared));
    expect(before.map(({ matched }) => matched)).toEqual([2, 2]);
    await archived('ARC-1');
    expect(await Promise.all(all.map(compared))).toEqual(before);
    expect(await rowsOf('ARC-1')).toBe(0);
  });

  it('say what differs, what stands twice, and what no message told', async () => {
    const [line, other] = await booked('ARC-1');
    if (!line || !other) throw new Error('there are no lines');
    const lines = [
      { ...line, amountGross: 1 },
      other,
      other,
      { ...withoutId(line), amountGross: 7 },
    ];
    const before = await compared(lines);
    expect([before.matched, before.different.length]).toEqual([1, 1]);
    expect([before.twiceAtPms.length, before.unknownHere.length]).toEqual([1, 1]);
    await archived('ARC-1');
    expect(await compared(lines)).toEqual(before);
  });
});

describe('a report of which bookings were archived since', () => {
  it.each(['kept', 'let go of'])('is repaired whole: %s', async (messages) => {
    await booked('ARC-1');
    await booked('ARC-2');
    await booked('ARC-3');
    if (messages === 'let go of') await withoutTriggers([testEnv.DB.prepare('DELETE FROM outbox')]);
    const reportId = await reported();
    const repair = async (more = {}) =>
      (await call('/pms-ledger/v1/repair', { reportId, ...more })).json.replayed;
    expect((await archiveAll()).json).toEqual({ success: true, archived: 3 });
    expect(await repair({ dryRun: true })).toBe(6);
    expect(await rowsOf('ARC-1')).toBe(0);
    expect(await repair()).toBe(6);
    expect(await repair()).toBe(0);
    const { results } = await testEnv.DB.prepare(
      "SELECT booking_reference AS of, count(*) AS n, sum(due_at_ms IS NOT NULL) AS due FROM outbox WHERE status = 'Pending' AND message_type = 'PushTransaction' GROUP BY 1",
    ).all();
    expect(results).toEqual(['ARC-1', 'ARC-2', 'ARC-3'].map((of) => ({ of, n: 2, due: 1 })));
  });
});
