import type { MailRow } from '../../schema/mailTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { EventType } from '../history/rules/eventTypes.ts';

/** The settings of a property that say which mails it wants. */
type Wishes = Pick<PropertyRow, 'guestMails' | 'cardRecovery' | 'contact'>;

/** A charge as it is after the event: the one that was refunded or disputed, too. */
type ToldCharge = Pick<TransactionRow, 'kind' | 'status' | 'initiator' | 'virtualCard'>;

type MailOfEvent = Extract<MailRow['kind'], 'receipt' | 'refund' | 'failedPayment' | 'dailyWord'>;

/**
 * The mails that follow from an event about a charge (interface: Mails). Unless the property says otherwise, receipts and
 * refunds are for what guests paid on their page.
 */
export function mailsOf(type: EventType, charge: ToldCharge, wishes: Wishes): MailOfEvent[] {
  // The daily digest has it, if the property has an address.
  const isInDigest = IN_DIGEST.includes(type) && wishes.contact?.email;
  return [...guestMailsOf(type, charge, wishes), ...(isInDigest ? ['dailyWord' as const] : [])];
}

function guestMailsOf(type: EventType, charge: ToldCharge, wishes: Wishes): MailOfEvent[] {
  const { receipts, refunds, failedPayments = false } = wishes.guestMails ?? {};
  const isOfGuest = charge.initiator === 'guest';
  // A virtual card is between its agency and the property.
  if (charge.virtualCard) return [];
  switch (type) {
    case 'payment.accepted':
    case 'authorization.captured':
    // A correction that takes the money after all brings the receipt too.
    case 'payment.corrected':
      return charge.status === 'Accepted' && (receipts ?? isOfGuest) ? ['receipt'] : [];
    case 'refund.refunded':
      return (refunds ?? isOfGuest) ? ['refund'] : [];
    case 'payment.declined':
    case 'payment.failed':
      return failedPayments && isWorthTelling(type, charge, wishes) ? ['failedPayment'] : [];
    default:
      return [];
  }
}

/**
 * Whether a guest does not know yet that a payment was not made: one who paid on the page was told there. A hold is no
 * payment, and where a property recovers what is declined, it asks the guest for another card instead.
 */
function isWorthTelling(
  type: 'payment.declined' | 'payment.failed',
  { kind, initiator }: ToldCharge,
  { cardRecovery }: Wishes,
): boolean {
  if (initiator === 'guest') return false;
  if (type === 'payment.failed') return kind === 'schedule';
  return kind === 'charge' || (kind === 'schedule' && cardRecovery === null);
}

const IN_DIGEST: readonly EventType[] = [
  'payment.declined',
  'payment.failed',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
];
