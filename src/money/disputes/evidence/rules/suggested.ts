import { day } from '../../../../core/format.ts';
import type { Facts } from '../views.ts';
import { amountText } from './amounts.ts';
import { type EvidenceField, type EvidenceTexts, evidenceFields, longestOf } from './fields.ts';

export interface Disputed {
  readonly property: string;
  readonly chargeId: number;
  readonly reason: string;
  /** The gateway's ids of charges, by ours. */
  readonly gatewayIds: ReadonlyMap<number, string>;
}

/**
 * The texts that a bank reads of the facts, by the gateway's names of its fields. What nothing is known of is left out.
 */
export function suggestedTexts(facts: Facts, disputed: Disputed): EvidenceTexts {
  const { booking } = facts;
  const texts: Record<EvidenceField, string | null> = {
    customer_name: booking.guest,
    customer_email_address: booking.email,
    billing_address: booking.address,
    customer_purchase_ip: addressOf(facts, disputed),
    product_description: describe(facts, disputed),
    service_date: booking.arrival,
    access_activity_log: [...agreed(facts), ...opened(facts)].toSorted().join('\n'),
    cancellation_policy_disclosure: disclosure(facts),
    refund_policy_disclosure: facts.policy?.words ?? null,
    cancellation_rebuttal: rebuttal(facts),
    refund_refusal_explanation: refunds(facts, disputed),
    ...duplicate(facts, disputed),
    uncategorized_text: story(facts, disputed).join('\n'),
  };
  return Object.fromEntries(
    evidenceFields.flatMap((field) => {
      const text = texts[field];
      return text === null || text === '' ? [] : [[field, text.slice(0, longestOf(field))]];
    }),
  );
}

/** The address from which the guest paid, or else from which they entered a card. */
function addressOf({ agreements }: Facts, { chargeId }: Disputed): string | null {
  const paid = agreements.find((one) => one.chargeId === chargeId && one.ipAddress !== null);
  const entered = agreements.find((one) => one.kind === 'card' && one.ipAddress !== null);
  return (paid ?? entered)?.ipAddress ?? null;
}

function describe({ booking, payments }: Facts, { chargeId, property }: Disputed): string {
  const { arrival, departure, guest, reference } = booking;
  const description = payments.find((one) => one.chargeId === chargeId)?.description;
  const stay = `Stay at ${property} from ${day(arrival)} to ${day(departure)}, booking ${reference}, for ${guest}.`;
  return description ? `${stay} The charge: ${description}.` : stay;
}

function from(ipAddress: string | null, browser: string | null): string {
  return `${ipAddress ? ` from ${ipAddress}` : ''}${browser ? ` with ${browser}` : ''}`;
}

function agreed({ agreements }: Facts): string[] {
  return agreements.map(({ at, browser, ipAddress, kind, words }) => {
    const said = words.replaceAll(/\s*\n\s*/g, ' | ');
    return `${at} agreed on our page (${kind})${from(ipAddress, browser)}: ${said}`;
  });
}

function opened({ openings }: Facts): string[] {
  return openings.map(
    ({ at, browser, ipAddress }) =>
      `${at} opened the page of the booking by the link that we sent${from(ipAddress, browser)}`,
  );
}

function disclosure({ policy }: Facts): string | null {
  if (policy === null) return null;
  const { disclosedAt, words } = policy;
  return disclosedAt === null ? words : `${words}\nDisclosed to the guest on ${disclosedAt}.`;
}

function rebuttal({ booking, changes }: Facts): string | null {
  if (booking.status !== 'cancelled') return 'The booking was not cancelled.';
  const cancelled = changes.findLast(({ to, what }) => what === 'booking' && to === 'cancelled');
  return cancelled ? `The booking was cancelled on ${cancelled.at}.` : null;
}

function refunds(facts: Facts, { chargeId }: Disputed): string | null {
  const given = facts.refunds.filter(
    (one) => one.chargeId === chargeId && one.status === 'Refunded',
  );
  if (given.length > 0) {
    const each = given.map((one) => `${amountText(one)} on ${one.refundedAt}`);
    return `Refunded to the same card: ${each.join(', ')}.`;
  }
  return facts.policy === null ? null : `No refund is due by the policy: ${facts.policy.words}`;
}

/** Of a charge that is said to be there twice: the other one, and what each was for. */
function duplicate(
  { payments }: Facts,
  { chargeId, gatewayIds, reason }: Disputed,
): Pick<
  Record<EvidenceField, string | null>,
  'duplicate_charge_explanation' | 'duplicate_charge_id'
> {
  const other = payments.find((one) => one.chargeId !== chargeId && one.status === 'Accepted');
  if (reason !== 'duplicate' || other === undefined) {
    return { duplicate_charge_explanation: null, duplicate_charge_id: null };
  }
  const told = payments
    .filter(({ status }) => status === 'Accepted')
    .map((one) => `${amountText(one)} on ${one.at}: ${one.description ?? 'the stay'}`);
  return {
    duplicate_charge_id: gatewayIds.get(other.chargeId) ?? null,
    duplicate_charge_explanation: `The booking was charged for different things. ${told.join('. ')}.`,
  };
}

const BANK_STEP = {
  confirmed: 'the bank of the cardholder verified them',
  notConfirmed: 'the cardholder did not confirm it to their bank',
  open: 'the bank of the cardholder has not answered',
} as const;

/** What happened, in order. */
function story(facts: Facts, { chargeId }: Disputed): string[] {
  const { booking, earlierPayments, mails, payments, stay } = facts;
  const paid = payments.map((one) => {
    const what = one.chargeId === chargeId ? 'The disputed charge' : 'A charge';
    const step = one.bankStep ? `; ${BANK_STEP[one.bankStep.result]}` : '';
    return `${what} of ${amountText(one)} on ${one.at}, card ending in ${one.cardNumber}: ${one.status}${step}.`;
  });
  return [
    `The booking was made on ${booking.madeAt}.`,
    ...paid,
    ...(mails.length > 0
      ? [
          `Mails to the guest: ${mails.map(({ kind, sentAt }) => `${kind} on ${sentAt}`).join(', ')}.`,
        ]
      : []),
    ...(stay.arrivedAt === null ? [] : [`The guest arrived on ${stay.arrivedAt}.`]),
    ...(stay.departedAt === null ? [] : [`The guest departed on ${stay.departedAt}.`]),
    ...(stay.happened && stay.arrivedAt === null ? ['The stay took place as booked.'] : []),
    ...(earlierPayments.length > 0
      ? [
          `The same card paid before without any dispute: ${earlierPayments
            .map((one) => `${amountText(one)} on ${one.at}`)
            .join(', ')}.`,
        ]
      : []),
  ];
}
