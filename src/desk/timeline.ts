import { z } from 'zod';
import { exponentOf, toMinor } from '../core/money.ts';
import { typedAmount } from '../core/typedAmount.ts';
import { wordFor } from '../core/words/staff.ts';
import { payloadOf } from '../pms/outbox/payloads.ts';
import type { PmsMessage } from '../pms/rules/messages.ts';
import { subjectText } from '../records/history/rules/entry.ts';
import type { HistoryRow } from '../schema/historyTables.ts';
import type { MailRow } from '../schema/mailTables.ts';
import type { OutboxRow } from '../schema/outboxTables.ts';
import type { BookingFile } from './bookingFile.ts';
import { money } from './format.ts';
import {
  beginningOf,
  ENTRIES_SHOWN,
  keyAfter,
  type OpenDelivery,
  type TimelineChange,
  type TimelineEvent,
} from './timelineStore.ts';
import { words } from './words.ts';

const { timeline: copy } = words;

/** How something ended, for its colour. */
export type Tone = 'good' | 'bad' | 'open' | 'plain';

export interface TimelineEntry {
  readonly atMs: number;
  readonly what: string;
  readonly tone: Tone;
  readonly amountMinor: number | null;
  readonly last4: string | null;
  /** Who did it, in the words of the page. */
  readonly by: string | null;
  /** What somebody wrote about the payment or refund. */
  readonly description: string | null;
  readonly detail: string | null;
  /** The id of the charge or refund; null for anything else. */
  readonly moneyId: number | null;
}

type File = Omit<BookingFile, 'balance'>;

/**
 * Tells what happened to a booking, the latest first, as far as the view goes. `next` is the key of the last entry; null on
 * the last page.
 */
export function timelineOf(file: File) {
  const before = beginningOf(file.view);
  const all = [
    ...file.changes.map((change) => entryOf(change, file)),
    ...file.messages.map(messageEntry),
    ...file.mails.map((mail) => mailEntry(mail, file)),
    ...file.events.map((event) => eventEntry(event, file)),
  ]
    .filter(({ atMs }) => before === null || atMs <= before.atMs)
    .toSorted((one, other) => other.atMs - one.atMs)
    .slice(before?.seen ?? 0);
  const entries = all.slice(0, ENTRIES_SHOWN);
  return { entries, next: all.length > entries.length ? keyAfter(entries, file.view) : null };
}

function entryOf(change: TimelineChange, file: File): TimelineEntry {
  const { actor, actorName, atMs, clientName, detail, nameOfToday } = change;
  // A person whose entry holds no name may have had another one then.
  const today = nameOfToday && copy.nameOfToday({ name: nameOfToday });
  const program = clientName ?? programCopy(actor);
  return {
    atMs,
    by: actorName ?? today ?? wordFor(copy.actors, actor) ?? program,
    detail: detail === null ? null : detailCopy(detail, file.state.booking.currency),
    ...subjectOf(change, file),
  };
}

/** Why, by which rule and what is kept, as a cancellation by a quote notes it. */
const CANCELLED = /^(\w+), (?:rule )?\w+, keeps ([\d.]+)(, .+)?$/s;

/** A reason in plain words; what nobody has words for stands for itself. */
function detailCopy(detail: string, currency: string): string {
  const [, reason = '', amount = '', why = ''] = CANCELLED.exec(detail) ?? [];
  const who = wordFor(words.report.cancellations.reasons, reason);
  if (who !== undefined) {
    const kept = typedAmount(amount, currency);
    return copy.kept({ who, amount: kept.ok ? money(kept.value, currency) : amount }) + why;
  }
  const [, language] = /^agreed to (?:saved|payment)-\d+ (\S+)$/.exec(detail) ?? [];
  if (language === undefined) {
    const lists = [words.declines, copy.details, words.disputes.reasons];
    return lists.map((list) => wordFor(list, detail)).find(Boolean) ?? detail;
  }
  const named = new Intl.DisplayNames(words.locale, { type: 'language' }).of(language);
  return copy.agreed({ language: named ?? language });
}

type Told = Omit<TimelineEntry, 'atMs' | 'by' | 'detail'>;

const NOTHING = { amountMinor: null, last4: null, moneyId: null, description: null } as const;

function plain(what: string): Told {
  return { ...NOTHING, what, tone: 'plain' };
}

function subjectOf(change: TimelineChange, file: File): Told {
  const { subjectId: id, subjectKind, to } = change;
  const money = { ...aboutMoney(subjectKind, id, file), tone: toneOf(to) } as const;
  switch (subjectKind) {
    case 'dispute':
      return { ...money, what: disputeCopy(change, file) };
    case 'booking':
      return plain(bookingCopy(change));
    case 'links':
      return plain(wordFor(copy.links, to) ?? to);
    case 'card': {
      const card = file.cards.find(({ token }) => token === id);
      return { ...plain(wordFor(copy.cards, to) ?? to), last4: card?.last4 ?? null };
    }
    case 'charge':
      return corrected(change, { ...money, what: paymentCopy(change, file) });
    case 'recovery':
      return {
        ...money,
        what: wordFor(copy.recoveries, to) ?? copy.recovery({ to }),
        tone: 'open',
      };
    case 'plan':
      return plain(wordFor(copy.plans, change.from === null ? 'put' : to) ?? to);
    case 'refund':
      return corrected(change, { ...money, what: wordFor(copy.refunds, to) ?? to });
    case 'settlement':
      return plain(wordFor(copy.settlements, to) ?? to);
    case 'message':
      return plain(wordFor(copy.messageChanges, to) ?? to);
    case 'exception':
      return plain(copy.accepted);
    case 'application':
    case 'disbursement':
      return plain(copy.other({ subject: subjectText(change), to }));
  }
}

/** The acquirer outranks what had been final here. */
function corrected({ actor, from }: TimelineChange, told: Told): Told {
  const isCorrection =
    actor === 'gateway' && from !== null && !['Pending', 'Processing'].includes(from);
  return isCorrection ? { ...told, what: copy.correction({ what: told.what }) } : told;
}

/** The amount, card and id of what is told: of a charge, as which a recovery counts, a refund or a dispute. */
function aboutMoney(
  kind: string,
  id: string,
  { cards, disputes, refunds, transactions }: File,
): Pick<TimelineEntry, keyof typeof NOTHING> {
  switch (kind) {
    case 'charge':
    case 'recovery': {
      const row = transactions.find((one) => String(one.id) === id);
      const card = cards.find(({ token }) => token === row?.cardToken);
      const { amountMinor = null, description = null } = row ?? {};
      return { amountMinor, description, last4: card?.last4 ?? null, moneyId: Number(id) };
    }
    case 'refund': {
      const row = refunds.find((one) => String(one.id) === id);
      const { description = null } = row ?? {};
      const amountMinor = row ? -row.amountMinor : null;
      return { ...NOTHING, amountMinor, description, moneyId: Number(id) };
    }
    default: {
      const row = disputes.find((one) => kind === 'dispute' && one.id === id);
      return { ...NOTHING, amountMinor: row?.amountMinor ?? null };
    }
  }
}

function bookingCopy({ from, to }: TimelineChange): string {
  const { bookings } = copy;
  if (to === 'cancelled') return bookings.cancelled;
  if (from === 'cancelled') return bookings.again;
  return from === null ? bookings.added : bookings.changed;
}

function paymentCopy({ from, subjectId, to }: TimelineChange, { transactions }: File): string {
  const kind = transactions.find(({ id }) => String(id) === subjectId)?.kind;
  if (kind === undefined) return copy.payment({ id: subjectId, to });
  if (kind === 'schedule' && to === 'Pending' && from !== null) return copy.triedAgain;
  if (kind === 'authorization' && from === 'Authorized' && to === 'Processing') {
    return copy.captureSent;
  }
  return wordFor(copy.payments[kind], to) ?? to;
}

/** How states of payments, refunds, disputes, messages and mails ended; any other is plain. */
const tones: Readonly<Record<string, Tone>> = {
  Accepted: 'good',
  Authorized: 'good',
  Confirmed: 'good',
  Refunded: 'good',
  Sent: 'good',
  won: 'good',
  Dead: 'bad',
  Declined: 'bad',
  Failed: 'bad',
  Suppressed: 'bad',
  lost: 'bad',
  needs_response: 'bad',
  Processing: 'open',
  Pending: 'open',
  under_review: 'open',
};

function toneOf(state: string): Tone {
  return tones[state] ?? 'plain';
}

function disputeCopy({ subjectId, to }: TimelineChange, { disputes }: File): string {
  const what = wordFor(copy.disputes, to) ?? to;
  const stage = disputes.find(({ id }) => id === subjectId)?.stage;
  return stage === 'inquiry' ? copy.inquiry({ what }) : what;
}

/** A client of the interface: by its id, of which a random one is shortened. */
function programCopy(clientId: string): string {
  return /^[\da-f]{8}-[\da-f-]{27}$/.test(clientId)
    ? copy.program({ id: clientId.slice(0, 8) })
    : clientId;
}

/** Who did something, as reports and lists call them: a person by the name that they had. */
export function whoCopy({ actor, actorName }: Pick<HistoryRow, 'actor' | 'actorName'>): string {
  return actorName ?? wordFor(words.report.parts.actors, actor) ?? programCopy(actor);
}

function messageEntry(row: OutboxRow): TimelineEntry {
  const what = copy.messages[row.status]({ type: copy.messageTypes[row.messageType] });
  const attempts = String(row.attempts);
  return {
    ...NOTHING,
    atMs: row.completedAtMs ?? row.createdAtMs,
    what: row.attempts > 1 ? copy.retried({ what, attempts }) : what,
    tone: toneOf(row.status),
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
  const most = Number.MAX_SAFE_INTEGER;
  const minor = toMinor(AmountGross.replace('-', ''), exponentOf(Currency) ?? 2, 1, most);
  return minor.ok ? sign * minor.value : null;
}

function mailEntry(row: MailRow, file: File): TimelineEntry {
  return {
    ...aboutMoney(row.subjectKind, row.subjectId, file),
    atMs: row.completedAtMs ?? row.createdAtMs,
    what: copy.mail({ kind: copy.mailKinds[row.kind], state: copy.mails[row.status] }),
    tone: toneOf(row.status),
    by: null,
    detail: row.status === 'Sent' ? null : row.lastError,
  };
}

/** An event, and where it could not be delivered. */
function eventEntry(event: TimelineEvent, file: File): TimelineEntry {
  const open = file.deliveries.filter(({ eventNumber }) => eventNumber === event.eventNumber);
  return {
    ...aboutMoney(event.subjectKind, event.subjectId, file),
    atMs: event.atMs,
    what: copy.event({ sequence: String(event.eventSequence), type: event.type ?? '' }),
    tone: open.some(({ status }) => status === 'Dead') ? 'bad' : 'plain',
    by: null,
    detail: open.length === 0 ? null : open.map(deliveryCopy).join('; '),
  };
}

function deliveryCopy({ attempts, lastError, lastStatus, status, url }: OpenDelivery): string {
  const state = status === 'Dead' ? copy.givenUp : copy.waits;
  const delivery = copy.delivery({ host: new URL(url).host, state, attempts: String(attempts) });
  const answer = lastStatus === null ? null : copy.answer({ status: String(lastStatus) });
  const why = lastError ?? answer;
  return why === null ? delivery : copy.why({ delivery, why });
}
