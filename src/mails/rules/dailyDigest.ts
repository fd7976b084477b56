import { day, instant, money, personName } from '../../core/format.ts';
import type { IsoDate } from '../../core/time.ts';
import {
  declineReason,
  disputeReason,
  type StaffWords,
  staffWordsOf,
  wordFor,
} from '../../core/words/staff.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import { ownMailLanguage } from '../../platform/mail/rules/language.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';

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
  readonly baseUrl: string;
}

/** Tells a property of what went wrong the day before. Each entry leads to its booking in the console. */
export function dailyDigest(digest: Digest): MailContent {
  const { property, day: about, entries, count, baseUrl } = digest;
  const language = ownMailLanguage(property);
  const words = staffWordsOf(language);
  const texts = words.mails.digest;
  const { timeZone } = property;
  const at = (atMs: number) => instant(atMs, timeZone, words.locale);
  const told = entries.map((entry) => ({ entry, what: whatHappened(entry, words, at) }));
  const groups = [...Map.groupBy(told, triedAgain).values()];
  const list = (heading: string, prefix: string) => {
    const items = groups.flatMap((group) => {
      const [last] = group.toReversed();
      if (!last?.entry.eventType.startsWith(prefix)) return [];
      const [first = last] = group;
      const what = [
        ...namesOf(last.entry, words),
        last.what,
        group.length > 1 &&
          texts.tries({ count: String(group.length), time: at(first.entry.atMs) }),
      ];
      const text = texts.item({
        time: at(last.entry.atMs),
        what: what.filter(Boolean).join(', '),
      });
      return [{ text, url: linkTo(last.entry, property, baseUrl) }];
    });
    return items.length === 0 ? [] : [{ heading, items }];
  };
  const more = count - entries.length;
  return {
    language,
    subject: texts.subject({
      count: more + groups.length,
      property: property.name,
      day: day(about, words.locale),
    }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name })],
    lists: [
      ...list(texts.charges, 'payment.'),
      ...list(texts.refunds, 'refund.'),
      ...list(texts.disputes, 'dispute.'),
    ],
    closing: more > 0 ? [texts.more({ count: String(more) })] : [],
  };
}

/** An entry with what happened, in words. */
interface Told {
  readonly entry: DigestEntry;
  readonly what: string;
}

/** What tries of the same payment with the same end have in common; nothing else has it. */
function triedAgain({ entry, what }: Told): unknown {
  const { amountMinor, bookingReference, eventType } = entry;
  if (!eventType.startsWith('payment.')) return entry;
  return JSON.stringify([bookingReference, amountMinor, what]);
}

/** The booking's page in the console. */
function linkTo({ bookingReference }: DigestEntry, { id }: PropertyRow, baseUrl: string): string {
  const query = new URLSearchParams({ property: id, reference: bookingReference });
  return `${baseUrl}/console/booking?${query.toString()}`;
}

/** Which booking, whose it is, and the amount. */
function namesOf(entry: DigestEntry, { locale }: StaffWords): string[] {
  const { amountMinor, bookingReference, currency, firstName, lastName } = entry;
  return [
    bookingReference,
    lastName === null ? '' : personName(firstName, lastName),
    money(amountMinor, currency, locale),
  ];
}

function whatHappened(
  { declineCode, disputeReason: ofDispute, eventType, respondByMs, why }: DigestEntry,
  words: StaffWords,
  at: (atMs: number) => string,
): string {
  const texts = words.mails.digest;
  const said = ofDispute === null ? texts.noReason : disputeReason(words, ofDispute);
  const reason = said.charAt(0).toLowerCase() + said.slice(1);
  switch (eventType) {
    case 'payment.declined':
      return texts.declined({ reason: declineReason(words, declineCode) });
    case 'payment.failed':
      return texts.failed({
        reason: wordFor(words.timeline.details, why ?? '') ?? why ?? texts.noReason,
      });
    case 'refund.failed':
      return texts.refundFailed;
    case 'dispute.won':
      return texts.disputeWon;
    case 'dispute.lost':
      return texts.disputeLost;
    default:
      return respondByMs === null
        ? texts.disputeOpened({ reason })
        : texts.disputeToAnswer({ reason, time: at(respondByMs) });
  }
}
