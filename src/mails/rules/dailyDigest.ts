import staff from '../../../locales/staff/en.json' with { type: 'json' };
import { day, instant, money, personName } from '../../core/format.ts';
import type { IsoDate } from '../../core/time.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import type { PropertyRow } from '../../schema/propertyTables.ts';

const { declines } = staff;

/** Something that went wrong: a failed charge, a failed refund, or a dispute. */
export interface DigestEntry {
  readonly eventType: string;
  readonly bookingReference: string;
  readonly firstName: string | null;
  /** Null for a booking that is not there. */
  readonly lastName: string | null;
  readonly atMs: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly declineCode: string | null;
  readonly disputeReason: string | null;
  readonly respondByMs: number | null;
  /** Why a charge failed, as the audit trail has it. */
  readonly why: string | null;
}

/** What a property hears in the morning. */
export interface Digest {
  readonly property: PropertyRow;
  readonly day: IsoDate;
  readonly entries: readonly DigestEntry[];
  /** How many there are: `entries` may have only the first of them. */
  readonly count: number;
  /** The base of links. */
  readonly baseUrl: string;
}

/** What the digest says, which is in English only. Arguments are ready to be shown. */
const texts = {
  subject: (count: number, property: string, day: string) =>
    `${count} ${count === 1 ? 'payment needs' : 'payments need'} your attention: ${property}, ${day}`,
  heading: 'Payments that need your attention',
  opening: (property: string) => `Yesterday at ${property}:`,
  charges: 'Failed charges',
  refunds: 'Failed refunds',
  disputes: 'Disputes',
  item: (time: string, reference: string, ...what: readonly string[]) =>
    `${time}: booking ${[reference, ...what].filter(Boolean).join(', ')}`,
  declined: (reason: string) => `declined: ${reason}`,
  failed: (reason: string) => `technical failure (${reason})`,
  refundFailed: 'the refund failed: the guest did not receive the money',
  disputeOpened: (reason: string, respondBy: string | null) =>
    respondBy === null ? `disputed (${reason})` : `disputed (${reason}), answer by ${respondBy}`,
  disputeWon: 'the dispute was won',
  disputeLost: 'the dispute was lost',
  noReason: 'no reason given',
  more: (count: number) => `And ${count} more.`,
  tries: (count: number, since: string) => `${count} times since ${since}`,
} as const;

/** Tells a property of what went wrong the day before. Each entry leads to its booking in the console. */
export function dailyDigest({
  property,
  day: about,
  entries,
  count,
  baseUrl,
}: Digest): MailContent {
  const groups = [...Map.groupBy(entries, (entry) => triedAgain(entry, property)).values()];
  const list = (heading: string, prefix: string) => {
    const items = groups.flatMap((group) => {
      const [entry] = group.toReversed();
      return entry?.eventType.startsWith(prefix)
        ? [{ text: line(entry, group, property), url: linkTo(entry, property, baseUrl) }]
        : [];
    });
    return items.length === 0 ? [] : [{ heading, items }];
  };
  return {
    subject: texts.subject(count - entries.length + groups.length, property.name, day(about)),
    heading: texts.heading,
    opening: [texts.opening(property.name)],
    lists: [
      ...list(texts.charges, 'payment.'),
      ...list(texts.refunds, 'refund.'),
      ...list(texts.disputes, 'dispute.'),
    ],
    closing: count > entries.length ? [texts.more(count - entries.length)] : [],
  };
}

/** What tries of the same payment with the same end have in common; nothing else has it. */
function triedAgain(entry: DigestEntry, { timeZone }: PropertyRow): unknown {
  const { amountMinor, bookingReference, eventType } = entry;
  if (!eventType.startsWith('payment.')) return entry;
  return JSON.stringify([bookingReference, amountMinor, whatHappened(entry, timeZone)]);
}

/** The booking's page in the console. */
function linkTo({ bookingReference }: DigestEntry, { id }: PropertyRow, baseUrl: string): string {
  const query = new URLSearchParams({ property: id, reference: bookingReference });
  return `${baseUrl}/console/booking?${query.toString()}`;
}

/** The latest of some tries, and since when there were how many. */
function line(
  entry: DigestEntry,
  group: readonly DigestEntry[],
  { timeZone }: PropertyRow,
): string {
  const [first = entry] = group;
  const { amountMinor, bookingReference, currency, firstName, lastName } = entry;
  return texts.item(
    instant(entry.atMs, timeZone),
    bookingReference,
    lastName === null ? '' : personName(firstName, lastName),
    money(amountMinor, currency),
    whatHappened(entry, timeZone),
    group.length > 1 ? texts.tries(group.length, instant(first.atMs, timeZone)) : '',
  );
}

/** Why a card was declined, in the words that staff read; a code that nobody has words for stands for itself. */
function declineCopy(declineCode: string | null): string {
  const known: Readonly<Record<string, string>> = declines;
  const code = declineCode ?? 'generic_decline';
  const copy = Object.hasOwn(known, code) ? known[code] : undefined;
  return copy ?? code.replaceAll('_', ' ');
}

function whatHappened(entry: DigestEntry, timeZone: string): string {
  const { declineCode, disputeReason, respondByMs, why } = entry;
  switch (entry.eventType) {
    case 'payment.declined':
      return texts.declined(declineCopy(declineCode));
    case 'payment.failed':
      return texts.failed(why ?? texts.noReason);
    case 'refund.failed':
      return texts.refundFailed;
    case 'dispute.won':
      return texts.disputeWon;
    case 'dispute.lost':
      return texts.disputeLost;
    default:
      return texts.disputeOpened(
        disputeReason ?? texts.noReason,
        respondByMs === null ? null : instant(respondByMs, timeZone),
      );
  }
}
