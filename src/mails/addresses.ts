import type { Database, Statement } from '../platform/db/database.ts';
import { digestOf } from '../platform/mail/suppression.ts';
import type { MailRow } from '../schema/mailTables.ts';
import { BOUND_MS, turnsAt } from './rules.ts';
import { changeMail, selectAddresses, selectGotSince, sumUp } from './store.ts';

/** A mail whose turn it is. `recipient` is the digest of its guest's address; null without one. */
export interface Ready {
  readonly row: MailRow;
  readonly recipient: string | null;
}

/**
 * The mails about payments that go out now. One address gets so many within an hour: what is more is put off, and then goes out
 * as one. Everything is settled before anything is sent. At most three round trips.
 */
export async function readyOf(
  database: Database,
  propertyId: string,
  due: readonly MailRow[],
  nowMs: number,
): Promise<Ready[]> {
  if (due.length === 0) return [];
  const addressed = await withRecipients(database, propertyId, due);
  const byRecipient = Map.groupBy(addressed, ({ recipient }) => recipient);
  const recipients = [...byRecipient.keys()].filter((one) => one !== null);
  const [got] = await database.batch('d1.mail.read', [
    selectGotSince(propertyId, recipients, nowMs - BOUND_MS),
  ]);
  const shares = [...byRecipient].map(([recipient, mails]) => {
    if (recipient === null) return { ready: mails, statements: [] };
    const lately = got.find((one) => one.recipient === recipient);
    const rows = mails.map(({ row }) => row);
    const entries = rows.map((row) => ({
      wasPutOff: row.recipient !== null && row.summedUpIn === null,
      isSummary: row.summedUpIn !== null,
    }));
    return shareOf(recipient, rows, turnsAt(entries, lately, nowMs));
  });
  const [first, ...rest] = shares.flatMap(({ statements }) => statements);
  if (first !== undefined) await database.batch('d1.mail.save', [first, ...rest]);
  return shares.flatMap(({ ready }) => ready);
}

/** What goes out to one address, and what records the turns of all that is due to it. */
function shareOf(
  recipient: string,
  rows: readonly MailRow[],
  turns: ReturnType<typeof turnsAt>,
): { readonly ready: readonly Ready[]; readonly statements: readonly Statement[] } {
  const inTurn = (kind: string) => rows.filter((_row, index) => turns[index]?.kind === kind);
  const [head, ...others] = inTurn('together');
  const summary = head && { ...head, summedUpIn: head.id };
  const ids = head ? [head, ...others].map(({ id }) => id) : [];
  return {
    ready: [...inTurn('alone'), ...(summary ? [summary] : [])].map((row) => ({ row, recipient })),
    statements: [
      ...(head ? [sumUp(ids, recipient, head.id)] : []),
      ...rows.flatMap((row, index) => {
        const turn = turns[index];
        if (turn?.kind !== 'later') return [];
        return [changeMail(row, { recipient, dueAtMs: turn.atMs })];
      }),
    ],
  };
}

async function withRecipients(
  database: Database,
  propertyId: string,
  due: readonly MailRow[],
): Promise<Ready[]> {
  const references = [...new Set(due.flatMap(({ bookingReference }) => bookingReference ?? []))];
  const [addresses] = await database.batch('d1.mail.read', [
    selectAddresses(propertyId, references),
  ]);
  const digests = new Map<string, string>();
  for (const { email, reference } of addresses) {
    if (email !== '') digests.set(reference, await digestOf(email));
  }
  return due.map((row) => ({ row, recipient: digests.get(row.bookingReference ?? '') ?? null }));
}
