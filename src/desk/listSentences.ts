import { sumOf } from '../core/sum.ts';
import { lackingMinor, nextPart } from '../records/plans/rules/follow.ts';
import { termOf } from '../records/plans/rules/parts.ts';
import type { Advised } from './advice.ts';
import type { FailedPayment, FailingCard, Unsettled } from './attentionLists.ts';
import { instant, money } from './format.ts';
import type { ComingPayment, PlannedPart } from './lists.ts';
import { declineCopy, words } from './words.ts';

const { coming: copyOfComing } = words;
const { advice, cards, payments, settlements } = words.failed;

/** What is to be done about a cancellation that is not settled. */
export function toSettle({ cardToken, currency, keptMinor, paidMinor }: Unsettled): string {
  const amount = money(Math.abs(keptMinor - paidMinor), currency);
  if (paidMinor >= keptMinor) return settlements.giveBack({ amount });
  return cardToken === null ? settlements.noCard({ amount }) : settlements.collect({ amount });
}

/** What somebody can do about a card that fails. */
export function forCard({ asked, deadlineAtMs, endedAs, timeZone }: FailingCard): Advised {
  if (endedAs === 'unanswered') return { text: advice.unanswered };
  return asked > 0 && deadlineAtMs !== null
    ? { text: cards.until({ time: instant(deadlineAtMs, timeZone) }) }
    : { text: copyOfComing.ask, act: 'requestCard' };
}

/** Why a payment was not taken, and how often that was tried. */
export function whyFailed({ declineCode, status, tries }: FailedPayment): string {
  const { declined, failed } = words.states;
  const why = status === 'Declined' ? declined({ reason: declineCopy(declineCode) }) : failed;
  return tries > 1 ? payments.tries({ why, number: String(tries) }) : why;
}

/** What its terms call a part of a plan, else which one it is: an id has its place in the terms. */
export function partCopy(label: string | null, id: string): string {
  return label ?? words.booking.plan.nth({ number: id.slice(1) });
}

/** What the next part of a plan is called. */
export function partName({ parts, spec }: PlannedPart): string {
  const part = nextPart(parts);
  return part === null ? '' : partCopy(termOf(spec, part.id).label, part.id);
}

/** What the next part of a plan still takes, in minor units. */
export function partMinor({ parts }: PlannedPart): number {
  const part = nextPart(parts);
  return part === null ? 0 : lackingMinor(part);
}

/** The sum of the charges among some entries, in each currency: what is held is charged only by a capture. */
export function sumByCurrency(rows: readonly ComingPayment[]): string {
  const byCurrency = Map.groupBy(
    rows.filter(({ status }) => status === 'Pending'),
    ({ currency }) => currency,
  );
  return [...byCurrency]
    .map(([currency, some]) => money(sumOf(some, 'amountMinor'), currency))
    .join(', ');
}

/** What comes: the end of a hold, or else a charge, which the caller names. */
export function whatComes({ status }: ComingPayment, otherwise: string): string {
  return status === 'Authorized' ? copyOfComing.holdEnds : otherwise;
}

/** What people should know before the time comes. */
export function noteOf(row: ComingPayment): string {
  const { attempts, cause, deadlineAtMs, endedAs, status, timeZone } = row;
  const asked = row.asked ?? 0;
  const isOpen = cause !== null && (endedAs === null || endedAs === 'unanswered');
  const notes = [
    attempts > 0 && status === 'Pending' && copyOfComing.declinedBefore,
    isOpen && cause === 'expiring' && copyOfComing.cardExpired,
    isOpen && asked > 0 && copyOfComing.asked,
    isOpen &&
      deadlineAtMs !== null &&
      copyOfComing.until({ time: instant(deadlineAtMs, timeZone) }),
    isOpen && asked === 0 && copyOfComing.ask,
  ];
  return notes.filter(Boolean).join(' ');
}
