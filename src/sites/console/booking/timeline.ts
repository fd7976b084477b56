import { MINUTE_MS } from '../../../core/time.ts';
import type { TransactionRow } from '../../../platform/db/moneyTables.ts';
import type { OutboxRow } from '../../../platform/db/outboxTables.ts';
import type { AuditRow, BookingFile } from './read.ts';

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

type File = Pick<
  BookingFile,
  'changes' | 'messages' | 'transactions' | 'refunds' | 'disputes' | 'cards' | 'names'
>;

/** Within this time, what was sent and what came of it are one line. */
const AT_ONCE_MS = 2 * MINUTE_MS;

/** Tells all that happened to a booking, the latest first. */
export function timelineOf(file: File): TimelineEntry[] {
  const changes = file.changes.filter((change) => !isAnswered(change, file.changes));
  const entries = [
    ...changes.map((change) => entryOf(change, file)),
    ...file.messages.map(messageEntry),
  ];
  return entries.toSorted((one, other) => other.atMs - one.atMs);
}

/** Whether a change only says that something was sent, and another one says right after what came of it. */
function isAnswered(change: AuditRow, all: readonly AuditRow[]): boolean {
  if (change.to !== 'Processing') return false;
  return all.some(
    ({ atMs, from, id, subject }) =>
      subject === change.subject &&
      from === 'Processing' &&
      id > change.id &&
      atMs - change.atMs < AT_ONCE_MS,
  );
}

function entryOf(change: AuditRow, file: File): TimelineEntry {
  const { actor, atMs, detail } = change;
  return {
    atMs,
    by: file.names.get(actor) ?? actorCopy[actor] ?? actor,
    detail,
    ...subjectOf(change, file),
  };
}

type Told = Pick<TimelineEntry, 'what' | 'tone' | 'amountMinor' | 'last4' | 'moneyId'>;

const NOTHING = { amountMinor: null, last4: null, moneyId: null } as const;

function subjectOf(change: AuditRow, file: File): Told {
  const [, kind = '', id = '', dispute] =
    /^(\w+)(?: ([^ ]+))?(?: dispute (.+))?$/.exec(change.subject) ?? [];
  if (dispute !== undefined) return disputeTold(change, dispute, file);
  switch (kind) {
    case 'booking':
      return { ...NOTHING, what: bookingCopy(change), tone: 'plain' };
    case 'links':
      return { ...NOTHING, what: 'Payment links withdrawn', tone: 'plain' };
    case 'card': {
      const card = file.cards.find(({ token }) => token === id);
      return { ...NOTHING, what: 'Card added', tone: 'plain', last4: card?.last4 ?? null };
    }
    case 'charge':
      return chargeTold(change, Number(id), file);
    case 'refund':
      return refundTold(change, Number(id), file);
    default:
      return { ...NOTHING, what: `${change.subject}: ${change.to}`, tone: 'plain' };
  }
}

function bookingCopy({ from, to }: AuditRow): string {
  if (to === 'cancelled') return 'Booking cancelled';
  if (from === 'cancelled') return 'Booked again';
  return from === null ? 'Booking added' : 'Booking changed';
}

function chargeTold(change: AuditRow, id: number, { cards, transactions }: File): Told {
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

function paymentCopy(kind: TransactionRow['kind'], { from, to }: AuditRow): string {
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

function refundTold({ to }: AuditRow, id: number, { refunds }: File): Told {
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

function disputeTold({ to }: AuditRow, id: string, { disputes }: File): Told {
  const row = disputes.find((dispute) => dispute.id === id);
  return {
    ...NOTHING,
    what: disputeWords[to] ?? to,
    tone: tones[to] ?? 'plain',
    amountMinor: row?.amountMinor ?? null,
  };
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
  return {
    ...NOTHING,
    atMs: row.completedAtMs ?? row.createdAtMs,
    what: `PMS message ${row.messageType}: ${messageWords[row.status]}`,
    tone: messageTones[row.status],
    by: null,
    detail: row.status === 'Confirmed' ? null : row.lastError,
  };
}
