import { pick } from '../../core/pick.ts';
import type { Result } from '../../core/result.ts';
import { selectCardElement } from '../../gateways/select.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import type { PricedEffect } from '../../money/guest/cardEffect.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import {
  type Entered,
  type EntryPlace,
  type EntryWork,
  enterConfirmedCard,
  enterElementCard,
  enterTypedCard,
} from '../../records/cards/enter.ts';
import type { Agreed } from '../../records/guestActs/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { Form } from '../web/forms.tsx';
import { FEW_DIGITS, repeatable } from '../web/repeatable.ts';
import { agreedToCard } from './agreement.ts';
import { readCardForm } from './cardForm.ts';
import { readerOfGuest } from './language.ts';
import type { CardIssues, Repeated } from './pages/cardFields.tsx';

/** Which page takes a guest's card, and what the card belongs to. */
export interface CardEntryContext extends EntryPlace {
  /** The path of the form, which is also sent there. */
  readonly action: string;
  /** What the card changes of its booking's charges; null for no booking. */
  readonly effect: PricedEffect | null;
  /** Whether the page lists automatic charges that the card is for. */
  readonly showsCharges: boolean;
  /** Saves the card once the vault has it, with the name of what the guest agreed to, and its words. */
  readonly keep: (
    card: CardRow,
    agreement: string | null,
    agreed: Agreed | null,
  ) => Promise<Result<unknown>>;
}

/** What a submitted card form led to. */
export type EntryResult =
  | Entered
  | { readonly kind: 'invalid'; readonly issues: CardIssues; readonly repeated: Repeated };

/** The results after which the guest sees the form again, or goes to their bank. */
export type NotAdded = Exclude<EntryResult, { readonly kind: 'added' | 'repeated' }>;

/** The bank sends guests back to this path below the form's own. */
export const RETURN_PATH = 'confirmed';

/** Takes the card of a submitted form: the acquirer's own form where one is configured, else ours. */
export async function enterCard(
  c: AppContext,
  form: Form,
  context: CardEntryContext,
): Promise<EntryResult> {
  const work = workOf(c, context);
  const element = selectCardElement(c.get('config'));
  if (element) {
    const returnUrl = `${publicBaseUrl(c)}${context.action}/${RETURN_PATH}`;
    return enterElementCard(work, element, form, returnUrl);
  }
  const typed = readCardForm(form, propertyNow(context.property), readerOfGuest(c).words);
  if (typed.ok) return enterTypedCard(work, form, typed.value);
  const { cardExpiry = '', cardHolderName = '' } = form;
  const repeated = {
    cardExpiry: repeatable(cardExpiry, FEW_DIGITS),
    cardHolderName: repeatable(cardHolderName, FEW_DIGITS),
  };
  return { kind: 'invalid', issues: typed.error, repeated };
}

/** Saves the card of a guest who returns from their bank; null without the acquirer's own form. */
export async function enterReturned(
  c: AppContext,
  context: CardEntryContext,
): Promise<EntryResult | null> {
  const element = selectCardElement(c.get('config'));
  return element && enterConfirmedCard(workOf(c, context), element, c.req.query('setup_intent'));
}

function workOf(c: AppContext, context: CardEntryContext): EntryWork {
  const { agreement: kind, keep, property, showsCharges } = context;
  return {
    env: c.env,
    ...pick(c.var, 'config', 'database', 'trace'),
    httpRequestId: c.get('requestId'),
    place: context,
    keep: (card, agreement) => {
      const agreed = agreement === null ? null : agreedToCard(c, kind, property, showsCharges);
      return keep(card, agreement, agreed);
    },
  };
}
