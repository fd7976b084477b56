import { commit } from '../../operation/commit.ts';
import { draftEntry } from '../../operation/draft.ts';
import type { BookingWork } from '../../operation/work.ts';
import { queueMail } from '../../records/mails/queue.ts';
import { updateRecovery } from '../../records/recoveries/store.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';

/** A recovery whose guest is to be asked, and until when an answer counts. */
export interface ToRemind {
  readonly row: RecoveryRow;
  readonly deadlineAtMs: number;
}

/**
 * Asks a booking's guest for all of `asked` in one mail: counts the reminders and queues it, in one batch. Its id names the
 * first of these reminders, so none is sent twice.
 */
export async function remind(work: BookingWork, asked: readonly ToRemind[]): Promise<void> {
  const [first] = asked;
  if (first === undefined) return;
  const atMs = work.now();
  const { asked: askedBefore, transactionId } = first.row;
  const reminderMail = `${transactionId}-${askedBefore + 1}-cardRecovery`;
  await commit(work, 'd1.recovery.save', [
    queueMail(work, {
      id: reminderMail,
      propertyId: work.propertyId,
      bookingReference: work.reference,
      kind: 'cardRecovery',
      eventType: null,
      subject: `charge ${transactionId}`,
      atMs,
    }),
    ...asked.flatMap(({ row, deadlineAtMs }) => {
      const subject = { kind: 'recovery', id: String(row.transactionId) } as const;
      return [
        updateRecovery(work.database.queries, row, {
          asked: row.asked + 1,
          askedForCause: row.askedForCause + 1,
          firstAskedAtMs: row.firstAskedAtMs ?? atMs,
          deadlineAtMs,
          reminderMail,
          dueAtMs: atMs,
          changedAtMs: atMs,
        }),
        draftEntry(work, atMs, subject, { to: 'asked' }),
      ];
    }),
  ]);
}
