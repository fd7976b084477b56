import type { Facts } from '../views.ts';
import type { EvidencePart } from './fields.ts';

/** What answers each reason, as acquirers name it. Any other reason is answered like `general`. */
const packs: Readonly<Record<string, readonly EvidencePart[]>> = {
  credit_not_processed: ['policy', 'agreements', 'refunds', 'stay'],
  duplicate: ['agreements', 'mails', 'stay'],
  fraudulent: ['stay', 'agreements', 'bankStep', 'openings', 'earlierPayments', 'mails'],
  general: ['stay', 'agreements', 'policy', 'mails'],
  product_not_received: ['stay', 'policy', 'mails'],
  product_unacceptable: ['stay', 'agreements', 'policy', 'refunds'],
  subscription_canceled: ['policy', 'agreements', 'refunds', 'stay'],
  unrecognized: ['stay', 'agreements', 'bankStep', 'openings', 'earlierPayments', 'mails'],
};

/** What would answer the reason of a dispute, and is not known. */
export function missingFor(reason: string, chargeId: number, facts: Facts): EvidencePart[] {
  const pack = (Object.hasOwn(packs, reason) ? packs[reason] : undefined) ?? packs['general'] ?? [];
  return pack.filter((part) => !isKnown(part, chargeId, facts));
}

function isKnown(part: EvidencePart, chargeId: number, facts: Facts): boolean {
  switch (part) {
    case 'policy':
      return facts.policy !== null;
    case 'stay':
      return facts.stay.happened;
    case 'bankStep':
      return facts.payments.some((one) => one.chargeId === chargeId && one.bankStep !== null);
    case 'refunds':
      return facts.refunds.some((one) => one.chargeId === chargeId);
    default:
      return facts[part].length > 0;
  }
}
