import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import type { BookingName } from '../../records/bookings/store.ts';
import { bookingLink, LINK_LIFE_MS } from '../../records/links/linkToken.ts';
import type { RecoveryRow } from '../../schema/recoveryTables.ts';
import { type RemindedCharge, reminderMail } from './reminderMail.ts';
import { isStillAsked } from './rules.ts';
import { type RecoveryFacts, readFacts, recoveryOf, situationOf } from './situation.ts';

/** What making a reminder takes. */
export interface ReminderWork {
  readonly database: Database;
  readonly keyring: Keyring;
  /** The base of links for guests. */
  readonly baseUrl: string;
  /** What the property's clock shows. */
  readonly nowMs: number;
}

/** The address and the words of the reminder `mailId`; null where its guest is asked for nothing of it any more. */
export async function readReminder(
  work: ReminderWork,
  mailId: string,
  booking: BookingName,
): Promise<{ readonly to: string; readonly content: MailContent } | null> {
  const { baseUrl, database, keyring, nowMs } = work;
  const facts = await readFacts(database, booking);
  const { state, recoveries } = facts;
  const named = recoveries.filter((row) => row.reminderMail === mailId);
  const reminded = (await Promise.all(named.map((row) => remindedCharge(work, facts, row)))).flat();
  const { email } = state.booking;
  if (reminded.length === 0 || email === '') return null;
  const link = await bookingLink(keyring, baseUrl, state.booking, nowMs + LINK_LIFE_MS);
  return { to: email, content: reminderMail(state.property, state.booking, reminded, link) };
}

async function remindedCharge(
  { database, nowMs }: ReminderWork,
  facts: RecoveryFacts,
  row: RecoveryRow,
): Promise<RemindedCharge[]> {
  const { propertyId, cause, deadlineAtMs } = row;
  const recovery = await recoveryOf({ database, propertyId }, facts, row);
  const { card, charge } = recovery;
  if (card === null || deadlineAtMs === null || !isStillAsked(situationOf(recovery, nowMs)))
    return [];
  return [{ cause, deadlineAtMs, charge, card }];
}
