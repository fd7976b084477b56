import { z } from 'zod';
import type { JsonObject } from '../../core/failure.ts';
import { pick } from '../../core/pick.ts';
import { fingerprint, sameFingerprint } from '../../platform/crypto/fingerprint.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import type {
  CancellationFacts,
  DecidedCancellation,
  GivenBack,
} from './rules/decideCancellation.ts';

/** What the id of a cancellation's quote holds: what was asked for, and a fingerprint of what the quote rests on. */
const sealedSchema = z.object({
  /** 32 hex digits. */
  id: z.string(),
  bookingReference: z.string(),
  reason: z.enum(['guest', 'property', 'noShow']),
  atMs: z.int(),
  keep: z.object({ amountMinor: z.int(), why: z.string() }).nullable(),
  basis: z.string(),
  /** Until when it can be applied, by the property's clock. */
  untilMs: z.int(),
});

export type SealedCancellation = z.infer<typeof sealedSchema>;

/** The context of the seal: no quote of a payment opens as one of a cancellation, or the reverse. */
const contextOf = (propertyId: string) => `cancellation of ${propertyId}`;

/** Seals a quote for its property: the id that the caller gets, stored nowhere until it is applied. */
export function sealCancellation(
  keyring: Keyring,
  propertyId: string,
  quote: SealedCancellation,
): Promise<string> {
  return seal(keyring, 'quote', contextOf(propertyId), JSON.stringify(quote));
}

/** Opens the id of a quote; null if it is none, or another property's. */
export async function openCancellation(
  keyring: Keyring,
  propertyId: string,
  quoteId: string,
): Promise<SealedCancellation | null> {
  const text = await unseal(keyring, 'quote', contextOf(propertyId), quoteId);
  return text === null ? null : sealedSchema.parse(JSON.parse(text));
}

/** The fingerprint of what a decided cancellation rests on, and of what it came to. */
export function basisOf(
  keyring: Keyring,
  facts: CancellationFacts,
  decided: DecidedCancellation,
): Promise<string> {
  return fingerprint(keyring, restsOn(facts, decided));
}

/** Whether a cancellation still rests on the same, and comes to the same. */
export function hasSameBasis(
  keyring: Keyring,
  { basis }: Pick<SealedCancellation, 'basis'>,
  facts: CancellationFacts,
  decided: DecidedCancellation,
): Promise<boolean> {
  return sameFingerprint(keyring, basis, restsOn(facts, decided));
}

function restsOn(
  { disputes, plan, refunds, state, transactions }: CancellationFacts,
  decided: DecidedCancellation,
): JsonObject {
  const { booking, property } = state;
  return {
    booking: pick(
      booking,
      'status',
      'arrival',
      'totalCostMinor',
      'firstNightCostMinor',
      'cardToken',
      'cancellationPolicy',
    ),
    property: booking.cancellationPolicy === null ? property.cancellationPolicy : null,
    charges: transactions.map((row) =>
      pick(
        row,
        'id',
        'status',
        'requestedMinor',
        'amountMinor',
        'refundReservedMinor',
        'expiresAtMs',
      ),
    ),
    refunds: refunds.map((row) => pick(row, 'id', 'status')),
    disputes: disputes.map((row) => pick(row, 'id', 'status', 'fundsWithdrawn')),
    // A plan that is put again keeps its id.
    plan: plan && [plan.id, plan.putAtMs],
    ...pick(decided, 'rule', 'keepMinor', 'paidMinor', 'uncollectableMinor', 'unrefundableMinor'),
    captures: decided.captures.map(({ hold, priced }) => [hold.id, priced.amountMinor]),
    charge: decided.charge && [decided.charge.card.token, decided.charge.priced],
    refunded: decided.refunds.map(shown),
    bonds: decided.bonds.map(shown),
  };
}

function shown({ amountMinor, charge, withFeesMinor }: GivenBack) {
  return [charge.id, amountMinor, withFeesMinor];
}
