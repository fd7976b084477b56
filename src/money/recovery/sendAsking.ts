import { HOUR_MS } from '../../core/time.ts';
import type { BookingWork } from '../../operation/work.ts';
import { countAsking } from '../../records/cardRequests/asking.ts';
import { bookingLink, LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import { type RecoveryChange, updateRecovery } from '../../records/recoveries/store.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { askingMail } from './askingMail.ts';
import { type AskedCharge, askingWords } from './askingWords.ts';
import { mailAgainAtMs } from './rules.ts';
import { type RecoveryFacts, recoveryOf } from './situation.ts';

/**
 * Sends the one message that asks a booking's guest for all that waits to be asked. What is asked was recorded before, so
 * a message whose sending is not recorded is sent again. A guest who was asked too often within the hour is asked later.
 */
export async function sendAsking(work: BookingWork, facts: RecoveryFacts): Promise<void> {
  const waiting = facts.recoveries.filter(({ mailSinceMs }) => mailSinceMs !== null);
  const { propertyId, reference: bookingReference } = work;
  const nowMs = work.now();
  const guest = { propertyId, bookingReference, email: facts.state.booking.email };
  if (!(await countAsking(work.database, guest, nowMs))) {
    return saveAll(work, waiting, () => ({ dueAtMs: nowMs + HOUR_MS }));
  }
  const sent = await send(work, facts, waiting);
  const later = work.now();
  await saveAll(work, waiting, ({ mailFailures }) =>
    sent
      ? { mailSinceMs: null, dueAtMs: later }
      : { mailFailures: mailFailures + 1, dueAtMs: mailAgainAtMs(mailFailures + 1, later) },
  );
}

async function send(
  work: BookingWork,
  facts: RecoveryFacts,
  waiting: readonly RecoveryRow[],
): Promise<boolean> {
  const { property, booking } = facts.state;
  const asked = await Promise.all(waiting.map((row) => askedCharge(work, facts, row)));
  const words = askingWords(property, booking, asked.flat());
  const expiresAtMs = work.now() + LINK_LIFE_MS;
  const link = await bookingLink(work.keyring, work.publicBaseUrl, booking, expiresAtMs);
  return work.sendMail(await askingMail(booking.email, property, words, link));
}

async function askedCharge(
  work: BookingWork,
  facts: RecoveryFacts,
  row: RecoveryRow,
): Promise<AskedCharge[]> {
  const { charge, card } = await recoveryOf(work, facts, row);
  if (card === null || row.deadlineAtMs === null) return [];
  return [{ cause: row.cause, deadlineAtMs: row.deadlineAtMs, charge, card }];
}

async function saveAll(
  work: BookingWork,
  rows: readonly RecoveryRow[],
  changeOf: (row: RecoveryRow) => RecoveryChange,
): Promise<void> {
  const { queries } = work.database;
  const changedAtMs = work.now();
  const [first, ...rest] = rows.map((row) =>
    updateRecovery(queries, row, { ...changeOf(row), changedAtMs }),
  );
  if (first) await work.database.batch('d1.recovery.save', [first, ...rest]);
}
