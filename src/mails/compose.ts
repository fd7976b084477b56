import { addDays } from '../core/time.ts';
import { balanceOfRows } from '../money/balance/rules/balance.ts';
import { type ReminderWork, readReminder } from '../money/recovery/reminder.ts';
import { layOut, type MailContent } from '../platform/mail/layout.tsx';
import type { Mail } from '../platform/mail/mail.ts';
import type { BookingName } from '../records/bookings/store.ts';
import { readRequest } from '../records/cardRequests/actions.ts';
import { selectChargeTotals } from '../records/history/sumsStore.ts';
import { bookingLink, cardLink, LINK_LIFE_MS } from '../records/links/linkToken.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { MailRow } from '../schema/mailTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { dailyDigest } from './rules/dailyDigest.ts';
import {
  cardRequestMail,
  failedPayment,
  paymentLinkMail,
  receipt,
  refundMail,
  summary,
} from './rules/guestMails.ts';
import {
  countEntries,
  selectBookingOfMail,
  selectCardOf,
  selectCharge,
  selectEntries,
  selectRefund,
  selectSummedUp,
} from './store.ts';

export interface ComposeWork extends ReminderWork {
  readonly property: PropertyRow;
}

/** How many entries a daily digest names. */
const MOST_ENTRIES = 100;

/** Makes the mail of a row from what it is about; null if there is nobody to send it to, or nothing left to say. */
export async function compose(work: ComposeWork, row: MailRow): Promise<Mail | null> {
  if (row.kind === 'dailyWord') return composeDigest(work, row);
  if (row.summedUpIn !== null) return composeSummary(work, row);
  const mail = await contentFor(work, row);
  return mail && { id: row.id, to: mail.to, ...(await layOut(work.property, mail.content)) };
}

async function composeDigest(
  { baseUrl, database, property }: ComposeWork,
  { propertyId, morning }: MailRow,
): Promise<Mail | null> {
  const to = property.contact?.email;
  if (to === undefined || morning === null) return null;
  const due = { propertyId, morning };
  const [entries, [counted]] = await database.batch('d1.mail.read', [
    selectEntries(due, MOST_ENTRIES),
    countEntries(due),
  ]);
  if (!counted || entries.length === 0) return null;
  const { count, firstId } = counted;
  const day = addDays(morning, -1);
  const content = dailyDigest({ property, day, entries, count, baseUrl });
  return { id: firstId, to, ...(await layOut(property, content)) };
}

/** One mail for many. It has an id of its own: each of the others may have gone out before. */
async function composeSummary(work: ComposeWork, row: MailRow): Promise<Mail | null> {
  const { database, property } = work;
  const [rows] = await database.batch('d1.mail.read', [selectSummedUp(row)]);
  const composed = await Promise.all(rows.map((one) => contentFor(work, one)));
  const mails = composed.filter((one) => one !== null);
  const [first] = mails;
  if (!first) return null;
  const contents = mails.map(({ content }) => content);
  const laidOut = await layOut(property, summary(property, contents));
  return { id: `${row.id}-summary`, to: first.to, ...laidOut };
}

/** What a guest's mail says, and its address. */
interface Addressed {
  readonly to: string;
  readonly content: MailContent;
}

async function contentFor(work: ComposeWork, row: MailRow): Promise<Addressed | null> {
  const { bookingReference: reference, id, kind, propertyId } = row;
  if (kind === 'cardRequest') return cardRequest(work, row.subjectId);
  if (reference === null) return null;
  if (kind === 'paymentLink') return paymentLink(work, { propertyId, reference });
  return kind === 'cardRecovery' || kind === 'virtualCard'
    ? readReminder(work, id, { propertyId, reference })
    : aboutPayment(work, row, reference);
}

/** A request for a card, unless it takes none any more. */
async function cardRequest(
  { baseUrl, database, keyring, nowMs, property }: ComposeWork,
  requestId: string,
): Promise<Addressed | null> {
  const read = await readRequest(database, requestId);
  if (read?.request.status !== 'Open' || read.request.expiresAtMs <= nowMs) return null;
  const { booking, request } = read;
  const { bookingReference: reference, email: to, expiresAtMs, propertyId } = request;
  const claims = { requestId, expiresAtMs, propertyId, reference };
  const link = await cardLink(keyring, baseUrl, claims);
  return { to, content: cardRequestMail({ property, booking, request }, link) };
}

/** A link to a payment page, unless the booking was cancelled since. One round trip. */
async function paymentLink(
  work: ComposeWork,
  { propertyId, reference }: BookingName,
): Promise<Addressed | null> {
  const [[booking]] = await work.database.batch('d1.mail.read', [
    selectBookingOfMail(propertyId, reference),
  ]);
  const url = booking && (await payUrl(work, booking));
  if (!url || booking.email === '') return null;
  const content = paymentLinkMail({ booking, property: work.property }, url);
  return { to: booking.email, content };
}

/** A receipt, a refund, or a payment that failed. One round trip. */
async function aboutPayment(
  work: ComposeWork,
  row: MailRow,
  reference: string,
): Promise<Addressed | null> {
  const { database, property } = work;
  const id = Number(row.subjectId);
  // Charges and refunds share no id.
  const [[booking], [charge], [refund], [found], totals] = await database.batch('d1.mail.read', [
    selectBookingOfMail(row.propertyId, reference),
    selectCharge(id),
    selectRefund(id),
    selectCardOf(id),
    selectChargeTotals({ propertyId: row.propertyId, reference }),
  ]);
  if (!booking || booking.email === '') return null;
  const card = found ?? null;
  const url = refund ? null : await payUrl(work, booking);
  let content: MailContent | null = null;
  if (refund) {
    content = refundMail({ property, booking, refund, card });
  } else if (charge && row.kind === 'receipt') {
    const { dueMinor } = balanceOfRows(booking.totalCostMinor, [], totals);
    const open = {
      payUrl: url,
      dueMinor: url === null || booking.totalCostMinor === 0 ? null : dueMinor,
    };
    content = receipt({ property, booking, charge, card }, open);
  } else if (charge) {
    content = failedPayment({ property, booking, charge, card }, url);
  }
  return content && { to: booking.email, content };
}

/** The address of the booking's payment page; null for a cancelled booking. */
async function payUrl(
  { keyring, baseUrl, nowMs }: ComposeWork,
  booking: BookingRow,
): Promise<string | null> {
  if (booking.status === 'cancelled') return null;
  return bookingLink(keyring, baseUrl, booking, nowMs + LINK_LIFE_MS);
}
