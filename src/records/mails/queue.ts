import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { queries, type Statement } from '../../platform/db/database.ts';
import { type MailRow, mails } from '../../schema/mailTables.ts';
import { type BookingName, isOfBooking } from '../bookings/store.ts';

/** A mail to queue. `atMs`, by the property's clock: when it was caused, and from when on it may be sent. */
export type NewMail = Pick<
  MailRow,
  'id' | 'propertyId' | 'bookingReference' | 'kind' | 'eventType' | 'subjectKind' | 'subjectId'
> & { readonly atMs: number };

/** What an operation needs to queue mails. */
export interface MailQueue {
  /** The ids of the mails that it queued to go out at once: the property's mailer is notified if there are any. */
  readonly queuedMails: Set<string>;
}

/** The statement that queues a mail of an operation on a booking, as {@link insertMail} does. */
export function queueMail({ queuedMails }: MailQueue, mail: NewMail): Statement {
  // The sweep plans the entries of a digest.
  if (mail.kind !== 'dailyWord') queuedMails.add(mail.id);
  return insertMail(mail);
}

/** Drops the mails to a booking's guest that are not sent yet. What its property is told stays. */
export function dropMails(name: BookingName, nowMs: number) {
  return queries
    .update(mails)
    .set({ status: 'Dropped', dueAtMs: null, completedAtMs: nowMs })
    .where(and(isOfBooking(mails, name), eq(mails.status, 'Pending'), ne(mails.kind, 'dailyWord')));
}

/**
 * Queues a mail, if `when` holds and it is not queued already. Run it in the batch of what the mail follows from: so there
 * is neither without the other.
 */
export function insertMail(mail: NewMail, when: SQL = sql`TRUE`) {
  const { id, propertyId, bookingReference, kind, eventType, subjectKind, subjectId, atMs } = mail;
  return queries
    .insert(mails)
    .select(
      sql`SELECT ${id}, ${propertyId}, ${bookingReference}, ${kind}, ${eventType}, ${subjectKind}, ${subjectId}, 'Pending', 0, ${atMs},
        NULL, NULL, NULL, NULL, ${atMs}, NULL WHERE ${when}`,
    )
    .onConflictDoNothing();
}
