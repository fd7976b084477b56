import { z } from 'zod';
import { exponentOf, toMinor } from '../../../core/money.ts';
import { payloadOf } from '../../../pms/outbox/payloads.ts';
import type { PmsMessage } from '../../../pms/rules/messages.ts';
import { subjectText } from '../../../records/history/rules/entry.ts';
import type { MailRow } from '../../../schema/mailTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { OutboxRow } from '../../../schema/outboxTables.ts';
import { detailCopy } from '../words.ts';
import type { BookingFile } from './read.ts';
import type { OpenDelivery, TimelineChange, TimelineEvent } from './timelineStore.ts';
import { AT_ONCE_MS, beforeText, ENTRIES_SHOWN } from './timelineView.ts';

/** How something ended, for its colour. */
export type Tone = 'good' | 'bad' | 'open' | 'plain';

/** One line of a booking's timeline. */
export interface TimelineEntry {
  readonly atMs: number;
  readonly what: string;
  readonly tone: Tone;
  readonly amountMinor: number | null;
  /** The last four digits of the card; null if none is concerned. */
  readonly last4: string | null;
  /** Who did it, in the words of the page. */
  readonly by: string | null;
  readonly detail: string | null;
  /** The id of the charge or refund; null for anything else. */
  readonly moneyId: number | null;
}

type File = Omit<BookingFile, 'state' | 'balance'>;

/** A page of a timeline. `next` is the query's text for the page after it; null if there is none. */
export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  readonly next: string | null;
}

/** Tells what happened to a booking, the latest first, as far as the view goes. */
export function timelineOf(file: File): TimelinePage {
  const { before } = file.view;
  const changes = file.changes.filter((change) => !isAnswered(change, file.changes));
  const all = [
    ...changes.map((change) => entryOf(change, file)),
    ...file.messages.map(messageEntry),
    ...file.mails.map((mail) => mailEntry(mail, file)),
    ...file.events.map((event) => eventEntry(event, file)),
  ]
    .filter(({ atMs }) => before === null || atMs <= before.atMs)
    .toSorted((one, other) => other.atMs - one.atMs)
    .slice(before?.seen ?? 0);
  const entries = all.slice(0, ENTRIES_SHOWN);
  return { entries, next: all.length > entries.length ? beforeText(entries, file.view) : null };
}

/** Whether a change only says that something was sent, and another one says right after what came of it. */
function isAnswered(change: TimelineChange, all: readonly TimelineChange[]): boolean {
  if (change.to !== 'Processing') return false;
  return all.some(
    ({ atMs, from, sequence, subjectId, subjectKind }) =>
      subjectKind === change.subjectKind &&
      subjectId === change.subjectId &&
      from === 'Processing' &&
      sequence > change.sequence &&
      atMs - change.atMs < AT_ONCE_MS,
  );
}

function entryOf(change: TimelineChange, file: File): TimelineEntry {
  const { actor, actorName, atMs, detail } = change;
  return {
    atMs,
    by: actorName ?? todaysName(actor, file) ?? actorCopy[actor] ?? programCopy(actor),
    detail: detailCopy(detail),
    ...subjectOf(change, file),
  };
}

/** A person whose entry holds no name: they may have had another one then. Null for anyone else. */
function todaysName(actor: string, { names }: File): string | null {
  const name = names.get(actor);
  return name === undefined ? null : `${name} (name of today)`;
}

type Told = Pick<TimelineEntry, 'what' | 'tone' | 'amountMinor' | 'last4' | 'moneyId'>;

const NOTHING = { amountMinor: null, last4: null, moneyId: null } as const;

function plain(what: string): Told {
  return { ...NOTHING, what, tone: 'plain' };
}

function subjectOf(change: TimelineChange, file: File): Told {
  const { subjectId: id, subjectKind, to } = change;
  switch (subjectKind) {
    case 'dispute':
      return disputeTold(change, id, file);
    case 'booking':
      return plain(bookingCopy(change));
    case 'links':
      return plain(linkWords[to] ?? to);
    case 'card': {
      const card = file.cards.find(({ token }) => token === id);
      return { ...plain(cardWords[to] ?? to), last4: card?.last4 ?? null };
    }
    case 'charge':
      return corrected(change, chargeTold(change, Number(id), file));
    case 'recovery':
      return { ...aboutMoney('charge', id, file), what: recoveryCopy(change), tone: 'open' };
    case 'refund':
      return corrected(change, refundTold(change, Number(id), file));
    case 'message':
      return plain(messageChange[to] ?? to);
    case 'exception':
      return plain('Difference from the acquirer accepted');
    case 'application':
    case 'disbursement':
      return plain(`${subjectText(change)}: ${to}`);
  }
}

/** What becomes of a card. */
const cardWords: Readonly<Record<string, string>> = {
  attached: 'Card added',
  updated: 'Card renewed',
  removed: 'Card removed',
};

/** What people do to the links of a booking. */
const linkWords: Readonly<Record<string, string>> = {
  made: 'Payment link made',
  'card requested': 'Guest asked for a card',
  revoked: 'Payment links withdrawn',
};

const messageChange: Readonly<Record<string, string>> = {
  Pending: 'PMS message sent again',
  Dismissed: 'PMS message dismissed',
};

const recoveryWords: Readonly<Record<string, string>> = {
  begun: 'This charge needs another card or the guest',
  expiring: 'The card will have expired by then',
  asked: 'Guest asked for another card or to pay',
  answered: 'Guest gave another card',
  paid: 'Guest paid it instead',
  over: 'No other card is needed any more',
  flagged: 'Guest did not answer in time: please follow up',
  unanswered: 'Guest did not answer in time',
};

function recoveryCopy({ to }: TimelineChange): string {
  return recoveryWords[to] ?? `Recovery: ${to}`;
}

/** The acquirer outranks what had been final here. */
function corrected({ actor, from }: TimelineChange, told: Told): Told {
  const isCorrection = actor === 'gateway' && from !== null && isFinal(from);
  return isCorrection ? { ...told, what: `Correction: ${told.what}` } : told;
}

function isFinal(status: string): boolean {
  return !['Pending', 'Processing'].includes(status);
}

/** The amount, card and id of what an event or mail is about: a charge, a refund or a dispute. */
function aboutMoney(
  kind: string,
  id: string,
  { cards, disputes, refunds, transactions }: File,
): Pick<TimelineEntry, 'amountMinor' | 'last4' | 'moneyId'> {
  const row = transactions.find((one) => kind === 'charge' && String(one.id) === id);
  if (row) {
    const card = cards.find(({ token }) => token === row.cardToken);
    return { amountMinor: row.amountMinor, last4: card?.last4 ?? null, moneyId: row.id };
  }
  const refund = refunds.find((one) => kind === 'refund' && String(one.id) === id);
  if (refund) return { ...NOTHING, amountMinor: -refund.amountMinor, moneyId: refund.id };
  const dispute = disputes.find((one) => kind === 'dispute' && one.id === id);
  return { ...NOTHING, amountMinor: dispute?.amountMinor ?? null };
}

function bookingCopy({ from, to }: TimelineChange): string {
  if (to === 'cancelled') return 'Booking cancelled';
  if (from === 'cancelled') return 'Booked again';
  return from === null ? 'Booking added' : 'Booking changed';
}

function chargeTold(change: TimelineChange, id: number, { cards, transactions }: File): Told {
  const row = transactions.find((transaction) => transaction.id === id);
  const card = cards.find(({ token }) => token === row?.cardToken);
  return {
    what: row ? paymentCopy(row.kind, change) : `Payment ${id}: ${change.to}`,
    tone: tones[change.to] ?? 'plain',
    amountMinor: row?.amountMinor ?? null,
    last4: card?.last4 ?? null,
    moneyId: id,
  };
}

/** What a payment is called, by its kind and its new state. */
const paymentWords: Record<TransactionRow['kind'], Readonly<Record<string, string>>> = {
  charge: {
    Processing: 'Payment sent, no answer yet',
    Accepted: 'Payment taken',
    Declined: 'Payment declined',
    Failed: 'Payment failed, nothing was charged',
  },
  schedule: {
    Pending: 'Charge scheduled',
    Processing: 'Scheduled charge sent, no answer yet',
    Accepted: 'Scheduled charge taken',
    Declined: 'Scheduled charge declined',
    Failed: 'Scheduled charge failed, nothing was charged',
    Cancelled: 'Scheduled charge cancelled',
  },
  authorization: {
    Processing: 'Hold sent, no answer yet',
    Authorized: 'Amount held',
    Accepted: 'Hold captured',
    Declined: 'Hold declined',
    Failed: 'Hold failed, nothing was held',
    Released: 'Hold released',
    Expired: 'Hold expired',
  },
};

function paymentCopy(kind: TransactionRow['kind'], { from, to }: TimelineChange): string {
  if (kind === 'schedule' && to === 'Pending' && from !== null) {
    return 'Scheduled charge not taken, will be tried again';
  }
  if (kind === 'authorization' && from === 'Authorized' && to === 'Processing') {
    return 'Capture or release sent, no answer yet';
  }
  return paymentWords[kind][to] ?? to;
}

const tones: Readonly<Record<string, Tone>> = {
  Accepted: 'good',
  Authorized: 'good',
  Refunded: 'good',
  won: 'good',
  Declined: 'bad',
  Failed: 'bad',
  lost: 'bad',
  needs_response: 'bad',
  Processing: 'open',
  Pending: 'open',
  under_review: 'open',
};

const refundWords: Readonly<Record<string, string>> = {
  Processing: 'Refund sent, no answer yet',
  Refunded: 'Refunded',
  Failed: 'Refund failed',
};

function refundTold({ to }: TimelineChange, id: number, { refunds }: File): Told {
  const row = refunds.find((refund) => refund.id === id);
  return {
    ...NOTHING,
    what: refundWords[to] ?? to,
    tone: tones[to] ?? 'plain',
    amountMinor: row ? -row.amountMinor : null,
    moneyId: id,
  };
}

const disputeWords: Readonly<Record<string, string>> = {
  needs_response: 'Dispute opened: it needs an answer',
  under_review: 'Dispute under review by the bank',
  won: 'Dispute won',
  lost: 'Dispute lost',
};

function disputeTold({ to }: TimelineChange, id: string, { disputes }: File): Told {
  const row = disputes.find((dispute) => dispute.id === id);
  const what = disputeWords[to] ?? to;
  return {
    ...NOTHING,
    what: row?.stage === 'inquiry' ? `${what} (inquiry: nothing was withdrawn)` : what,
    tone: tones[to] ?? 'plain',
    amountMinor: row?.amountMinor ?? null,
  };
}

/** A client of the interface: by its id, of which a random one is shortened. */
function programCopy(clientId: string): string {
  return /^[\da-f]{8}-[\da-f-]{27}$/.test(clientId)
    ? `the program ${clientId.slice(0, 8)}…`
    : clientId;
}

/** Who acts without a name of their own. */
const actorCopy: Readonly<Record<string, string>> = {
  alarm: 'on schedule',
  sweep: 'on schedule',
  gateway: 'the acquirer',
  guest: 'the guest',
};

const messageTones = {
  Pending: 'open',
  Confirmed: 'good',
  Dead: 'bad',
  Dismissed: 'plain',
} as const satisfies Record<OutboxRow['status'], Tone>;

const messageWords = {
  Pending: 'waits to be delivered',
  Confirmed: 'confirmed',
  Dead: 'not delivered',
  Dismissed: 'dismissed',
} as const satisfies Record<OutboxRow['status'], string>;

function messageEntry(row: OutboxRow): TimelineEntry {
  const retried = row.attempts > 1 ? ` after ${row.attempts} attempts` : '';
  return {
    ...NOTHING,
    atMs: row.completedAtMs ?? row.createdAtMs,
    what: `PMS message ${row.messageType}: ${messageWords[row.status]}${retried}`,
    tone: messageTones[row.status],
    amountMinor: messageAmount(payloadOf(row)),
    by: null,
    detail: row.status === 'Confirmed' ? null : row.lastError,
  };
}

const moneyMessage = z.object({
  TransactionData: z.object({ Type: z.string(), Currency: z.string(), AmountGross: z.string() }),
});

/** What a message about money tells; null for one about a stay. */
function messageAmount(payload: PmsMessage['payload']): number | null {
  const read = moneyMessage.safeParse(payload);
  if (!read.success) return null;
  const { AmountGross, Currency, Type } = read.data.TransactionData;
  const sign = (Type === 'Refund' ? -1 : 1) * (AmountGross.startsWith('-') ? -1 : 1);
  const minor = toMinor(AmountGross.replace('-', ''), exponentOf(Currency) ?? 2, 1);
  return minor.ok ? sign * minor.value : null;
}

const mailNames = {
  receipt: 'Mail to the guest, receipt',
  refund: 'Mail to the guest, refund',
  failedPayment: 'Mail to the guest, failed payment',
  cardRecovery: 'Mail to the guest, card that fails',
  cardRequest: 'Mail to the guest, card asked for',
  dailyWord: 'Daily mail to the property',
} as const satisfies Record<MailRow['kind'], string>;

const mailWords = {
  Pending: ['waits to be sent', 'open'],
  Sent: ['sent', 'good'],
  Suppressed: ['not sent: mail to this address came back', 'bad'],
  Dropped: ['not sent: nobody is to be told any more', 'plain'],
  Dead: ['not sent: given up', 'bad'],
} as const satisfies Record<MailRow['status'], readonly [string, Tone]>;

function mailEntry(row: MailRow, file: File): TimelineEntry {
  const [words, tone] = mailWords[row.status];
  const [kind = '', id = ''] = row.subject.split(' ');
  return {
    ...aboutMoney(kind, id, file),
    atMs: row.completedAtMs ?? row.createdAtMs,
    what: `${mailNames[row.kind]}: ${words}`,
    tone,
    by: null,
    detail: row.status === 'Sent' ? null : row.lastError,
  };
}

/** An event, and where it could not be delivered. */
function eventEntry(event: TimelineEvent, file: File): TimelineEntry {
  const open = file.deliveries.filter(({ eventNumber }) => eventNumber === event.eventNumber);
  const kind = event.subjectKind === 'recovery' ? 'charge' : event.subjectKind;
  return {
    ...aboutMoney(kind, event.subjectId, file),
    atMs: event.atMs,
    what: `Event ${event.eventSequence}: ${event.type}`,
    tone: open.some(({ status }) => status === 'Dead') ? 'bad' : 'plain',
    by: null,
    detail: open.length === 0 ? null : open.map(deliveryCopy).join('; '),
  };
}

function deliveryCopy({ attempts, lastError, lastStatus, status, url }: OpenDelivery): string {
  const to = `delivery to ${new URL(url).host}`;
  const why = lastError ?? (lastStatus === null ? null : `answer ${lastStatus}`);
  const state = status === 'Dead' ? 'given up' : 'waits';
  return `${to} ${state} after ${attempts} attempts${why === null ? '' : ` (${why})`}`;
}
