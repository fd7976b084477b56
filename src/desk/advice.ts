import { wordFor } from '../core/words/staff.ts';
import type { FailedPayment } from './attentionLists.ts';
import { money } from './format.ts';
import { words } from './words.ts';

const { advice } = words.failed;

/** What somebody can do about something that failed; without an action of the desk, they look at the booking. */
export interface Advised {
  readonly text: string;
  readonly act?: 'charge' | 'mailLink' | 'requestCard' | 'refund';
  readonly isDone?: boolean;
}

/** What a person can do, by what the guest was already asked, by what was paid since, and by the reason. */
export function adviceFor(row: FailedPayment): Advised {
  const { asked, cause, declineCode, endedAs, status } = row;
  if (endedAs === 'answered' || endedAs === 'paid') return done(advice[endedAs]);
  const paid = paidAdvice(row);
  if (paid !== null) return paid;
  if (endedAs === 'unanswered') return { text: advice.unanswered };
  if (cause !== null && (asked ?? 0) > 0) return { text: advice.asked };
  if (status === 'Failed') return { text: advice.again, act: 'charge' };
  const text = wordFor(words.failed.adviceByDecline, declineCode ?? '');
  const needsCard = text !== undefined && !BY_LINK.includes(declineCode ?? '');
  return { text: text ?? advice.other, act: needsCard ? 'requestCard' : 'mailLink' };
}

/** Declines after which the same card may well be good, on the guest's own page. */
const BY_LINK = ['insufficient_funds', 'authentication_required'];

function done(text: string): Advised {
  return { text, isDone: true };
}

/** What can be done where the booking was paid since, at least in part, or will be; null where all is open. */
function paidAdvice(row: FailedPayment): Advised | null {
  const { currency, paidSinceMinor, purpose, requestedMinor, totalCostMinor } = row;
  if (purpose === 'Bond' || totalCostMinor === 0) {
    return paidSinceMinor >= requestedMinor ? done(advice.paidSince) : null;
  }
  const { dueMinor, proposedMinor } = row.balance;
  if (dueMinor === 0) return done(advice.nothingDue);
  if (proposedMinor === 0) return done(advice.arranged);
  return proposedMinor < requestedMinor
    ? { text: advice.less({ amount: money(proposedMinor, currency) }), act: 'charge' }
    : null;
}
