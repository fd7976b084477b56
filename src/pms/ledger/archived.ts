import { fewAtOnce } from '../../platform/fewAtOnce.ts';
import { type FileWork, readFile } from '../../records/archive/file.ts';
import { type ArchivedRows, rowsIn } from '../../records/archive/rows.ts';
import { bookings } from '../../schema/bookingTables.ts';
import { cards } from '../../schema/cardTables.ts';
import { history } from '../../schema/historyTables.ts';
import type { ArchivedBookingRow } from '../../schema/lifeTables.ts';
import { refunds, transactions } from '../../schema/moneyTables.ts';
import { type OutboxRow, outbox } from '../../schema/outboxTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { isRebuilt, rebuiltMessages } from '../outbox/rebuilt.ts';

/**
 * Reads the messages about money of archived bookings, those that were let go of made again. A read of R2 for each booking, and
 * nothing of D1: its file has all that they follow from.
 */
export async function readArchivedMessages(
  work: FileWork,
  property: PropertyRow,
  archived: readonly ArchivedBookingRow[],
): Promise<OutboxRow[]> {
  const all = await fewAtOnce(archived, async ({ objectKey }) =>
    messagesIn(property, await readFile(work, objectKey)),
  );
  return all.flat();
}

/** The same of one file. As in D1, a message is the booking's where an entry of its history names it. */
function messagesIn(property: PropertyRow, rows: ArchivedRows): OutboxRow[] {
  const entries = rowsIn(history, rows).filter(({ messageId }) => messageId !== null);
  const named = new Set(entries.map(({ messageId }) => messageId));
  const messages = rowsIn(outbox, rows);
  const kept = new Set<string | null>(messages.map(({ messageId }) => messageId));
  const told = messages.filter(
    ({ messageId, messageType }) => messageType === 'PushTransaction' && named.has(messageId),
  );
  const letGo = rebuiltMessages(property, [
    entries.filter(({ messageId, movement }) => !kept.has(messageId) && isRebuilt(movement)),
    rowsIn(transactions, rows),
    rowsIn(refunds, rows),
    rowsIn(cards, rows),
    rowsIn(bookings, rows),
  ]);
  return [...told, ...letGo];
}
