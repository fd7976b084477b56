import type { CardFacts } from '../core/cardNumbers.ts';

/**
 * An acquirer's own form for cards, which it shows in its own frame on our page: the number goes from the guest's
 * browser to the acquirer, and never comes here. What comes here is a confirmation token for it, so that each card that
 * is tried passes by this service and is counted.
 */
export interface CardElement {
  /** What our page loads, and from where it may. */
  readonly page: ElementPageParts;
  /** Keeps the card that a confirmation token stands for, to be charged while its holder is away. */
  keep(request: ElementCardRequest): Promise<ElementOutcome>;
  /** What became of a card whose holder was at their bank; refused for one that another link began. */
  confirmed(returned: ReturnedFromBank): Promise<ElementOutcome>;
}

/** What a page with the acquirer's form is made of. */
export interface ElementPageParts {
  /** The acquirer's script, and ours that puts its form into the page. */
  readonly scripts: readonly string[];
  readonly publishableKey: string;
  /** Sources that the page's policy allows besides our own. */
  readonly scriptSources: string;
  readonly frameSources: string;
  readonly connectSources: string;
}

/** A card to keep. The same `attempt` keeps one card, however often it is sent. */
export interface ElementCardRequest {
  readonly confirmationToken: string;
  readonly attempt: string;
  /** The property's own account at the acquirer, if it has one. */
  readonly account: string | null;
  /** The link that the guest came by: its card is nobody else's to fetch. */
  readonly linkId: string;
  /** Where the bank sends the guest back to. */
  readonly returnUrl: string;
}

/** A guest who comes back from the bank, with the acquirer's name of what they confirmed there. */
export interface ReturnedFromBank {
  readonly setup: string;
  readonly account: string | null;
  readonly linkId: string;
}

/** A card as the acquirer describes it. */
export interface ElementCard {
  readonly facts: CardFacts;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly holderName: string | null;
}

/** Whether the acquirer keeps a card: it does, it wants the holder to see their bank first, or it does not. */
export type ElementOutcome =
  | { readonly kind: 'vaulted'; readonly gatewayToken: string; readonly card: ElementCard }
  | { readonly kind: 'bank'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string };
