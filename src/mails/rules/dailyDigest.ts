import { day, instant, money } from '../../core/format.ts';
import type { IsoDate } from '../../core/time.ts';
import type { MailContent } from '../../platform/mail/layout.tsx';
import type { PropertyRow } from '../../schema/propertyTables.ts';

/** Something that went wrong: a failed charge, a failed refund, or a dispute. */
export interface DigestEntry {
  readonly eventType: string;
  readonly bookingReference: string;
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
}

/** What the digest says, which is in English only. Arguments are ready to be shown. */
const texts = {
  subject: (count: number, property: string, day: string) =>
    `${count} ${count === 1 ? 'payment needs' : 'payments need'} your attention: ${property}, ${day}`,
  heading: 'Payments that need your attention',
  opening: (property: string) => `This went wrong at ${property}:`,
  charges: 'Failed charges',
  refunds: 'Failed refunds',
  disputes: 'Disputes',
  item: (reference: string, amount: string, what: string, time: string) =>
    `${time}: booking ${reference}, ${amount}, ${what}`,
  declined: (reason: string) => `declined (${reason})`,
  failed: (reason: string) => `not made (${reason})`,
  refundFailed: 'the refund failed: the guest has not got the money back',
  disputeOpened: (reason: string, respondBy: string | null) =>
    respondBy === null ? `disputed (${reason})` : `disputed (${reason}), answer by ${respondBy}`,
  disputeWon: 'the dispute was won',
  disputeLost: 'the dispute was lost',
  noReason: 'no reason given',
  more: (count: number) => `And ${count} more.`,
} as const;

/** Tells a property of what went wrong the day before. It names bookings, not guests. */
export function dailyDigest({ property, day: about, entries, count }: Digest): MailContent {
  const list = (heading: string, prefixes: readonly string[]) => {
    const items = entries
      .filter(({ eventType }) => prefixes.some((prefix) => eventType.startsWith(prefix)))
      .map((entry) => line(entry, property));
    return items.length === 0 ? [] : [{ heading, items }];
  };
  return {
    subject: texts.subject(count, property.name, day(about)),
    heading: texts.heading,
    opening: [texts.opening(property.name)],
    lists: [
      ...list(texts.charges, ['payment.']),
      ...list(texts.refunds, ['refund.']),
      ...list(texts.disputes, ['dispute.']),
    ],
    closing: count > entries.length ? [texts.more(count - entries.length)] : [],
  };
}

function line(entry: DigestEntry, { timeZone }: PropertyRow): string {
  const amount = money(entry.amountMinor, entry.currency);
  const time = instant(entry.atMs, timeZone);
  return texts.item(entry.bookingReference, amount, whatHappened(entry, timeZone), time);
}

function whatHappened(entry: DigestEntry, timeZone: string): string {
  const { declineCode, disputeReason, respondByMs, why } = entry;
  switch (entry.eventType) {
    case 'payment.declined':
      return texts.declined(declineCode ?? texts.noReason);
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
