import { err, ok, type Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import {
  type AmountToPay,
  type PaidInstead,
  paidInstead,
} from '../../money/guest/rules/paidInstead.ts';
import { priceOfNewCard, priceOnCard } from '../../money/guest/rules/price.ts';
import { type GuestPurpose, isAsShown } from '../../money/guest/rules.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { Priced } from '../../records/properties/rules/takenPrice.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import { readerOfGuest } from './language.ts';
import { type PayForm, purposeOf, requestedMinor } from './payForm.ts';
import { issueOf } from './payIssue.ts';
import type { Folio } from './readFolio.ts';

/** What a guest would pay now. */
export interface Quote extends AmountToPay {
  readonly purpose: GuestPurpose;
  readonly choice: PayForm['choice'];
  /** Null where the fee depends on a card that is not there yet. */
  readonly priced: Priced | null;
  /** The schedules that this payment is instead of. */
  readonly instead: PaidInstead;
}

/** The price of what a guest chose on a card, or why the amount cannot be paid. `card` is null for a new one. */
export function quoteOf(
  c: AppContext,
  folio: Folio,
  form: Pick<PayForm, 'amount' | 'choice' | 'brand'>,
  card: CardRow | null,
): Result<Quote, string> {
  const reader = readerOfGuest(c);
  const requested = requestedMinor(form, folio, reader);
  if (!requested.ok) return requested;
  const payment = {
    requestedMinor: requested.value,
    purpose: purposeOf(form),
    asked: form.choice === 'asked' ? folio.asked.schedules : [],
  };
  const { balance, state } = folio;
  const stepMinor = selectGateway(c.get('config'), c.env).amountStepMinor(state.booking.currency);
  const facts = { state, totals: balance, nowMs: propertyNow(state.property), stepMinor };
  const priced =
    card === null ? priceOfNewCard(payment, facts, form.brand) : priceOnCard(payment, facts, card);
  if (!priced.ok) {
    return err(issueOf(priced.error.code, folio, reader) ?? reader.words.payIssues.changed);
  }
  const instead = paidInstead(folio.transactions, balance, payment, stepMinor);
  return ok({ ...payment, choice: form.choice, priced: priced.value, instead });
}

/** Whether this is the price, and these are the schedules, that the page showed to the guest. */
export function isAgreed({ priced, instead }: Quote, form: PayForm): boolean {
  const { agreedMinor, lowers, replaces } = form;
  const isPrice = priced !== null && agreedMinor === priced.amountMinor;
  return isPrice && isAsShown(instead, { replaces: replaces ?? [], lowers });
}
