import type { GatewayName } from '../platform/config.ts';
import type { DescribedCard, NotVaulted } from './vault.ts';

/**
 * An acquirer's card form, in the acquirer's own frame on our page. The guest's browser sends the card number to the
 * acquirer only. This service receives a confirmation token, and so can count and limit the cards that a guest tries.
 */
export interface CardElement {
  /** Recorded with every card, so it never changes. */
  readonly gateway: GatewayName;
  /** What the guest's page loads, and the sources that its policy allows. */
  readonly page: ElementPageParts;
  /** Has the acquirer store the confirmation token's card, so that it can be charged while the cardholder is away. */
  keep(request: ElementCardRequest): Promise<ElementOutcome>;
  /** Reads the outcome after the guest returns from the bank; `refused` if another link started the card. */
  confirmed(returned: ReturnedFromBank): Promise<ElementOutcome>;
  /**
   * Reads a setup that a webhook event names, with the purpose that {@link keep} gave it. Null if {@link keep} did not
   * make it; throws if the acquirer does not answer.
   */
  setup(id: string, account: string | null): Promise<ReportedSetup | null>;
}

export interface ElementPageParts {
  /** The acquirer's script, and ours that shows its form on the page. */
  readonly scripts: readonly string[];
  readonly publishableKey: string;
  /** Sources that the page's content security policy allows in addition to our own. */
  readonly scriptSources: string;
  readonly frameSources: string;
  readonly connectSources: string;
}

/** A card to store. Requests with the same `attempt` store one card. */
export interface ElementCardRequest {
  readonly confirmationToken: string;
  readonly attempt: string;
  /** The property's own account at the acquirer, if it has one. */
  readonly account: string | null;
  /** Whom the card is for. The acquirer keeps it with the card. */
  readonly purpose: CardPurpose;
  /** The page to which the bank returns the guest. */
  readonly returnUrl: string;
}

export interface CardPurpose {
  /** The link that the guest used: only it can fetch the card. The hourly limit of cards counts by link and by booking. */
  readonly linkId: string;
  readonly propertyId: string;
  /** The booking's reference; null for a card that no booking gets. */
  readonly bookingReference: string | null;
  /** The card request that the card completes; null for none. */
  readonly requestId: string | null;
  readonly enteredBy: 'api' | 'guest';
  /** The name of what its guest agreed to; null for a card of an earlier version's page. */
  readonly agreement: string | null;
}

/** A card setup at the acquirer: whom it is for, when it was made, and what became of it. */
export interface ReportedSetup {
  readonly purpose: CardPurpose;
  /** In milliseconds since 1970. */
  readonly atMs: number;
  readonly outcome: ElementOutcome;
}

/** A guest who returns from the bank, with the acquirer's id of the setup that they confirmed there. */
export interface ReturnedFromBank {
  readonly setup: string;
  readonly account: string | null;
  readonly linkId: string;
}

/**
 * Whether the acquirer stored a card. `bank`: the bank at `url` has to verify the cardholder first. `declined` and
 * `refused` are those of a vault.
 */
export type ElementOutcome =
  | {
      readonly kind: 'vaulted';
      readonly gatewayToken: string;
      readonly card: DescribedCard;
      /** That of the card's {@link CardPurpose}. */
      readonly agreement: string | null;
    }
  | { readonly kind: 'bank'; readonly url: string }
  | NotVaulted;
