import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { schedulesToReplace } from '../../money/balance/balance.ts';
import { priceOfNewCard } from '../../money/guest/choices.ts';
import { guestPrice } from '../../money/guest/rules.ts';
import type { Priced } from '../../money/payments/fees.ts';
import type { CardRow } from '../../platform/db/cardTables.ts';
import type { TransactionRow } from '../../platform/db/moneyTables.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { readerOfGuest } from './language.ts';
import { type PayForm, requestedMinor } from './payForm.ts';
import { issueOf } from './payIssue.ts';
import type { Folio } from './readFolio.ts';

/** What a guest would pay now. */
export interface Quote {
  readonly requestedMinor: number;
  /** Null where the fee depends on a card that is not there yet. */
  readonly priced: Priced | null;
  /** The schedules that this payment is instead of. */
  readonly replaced: readonly TransactionRow[];
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
  const priced = priceOf(c, folio, card, requested.value, form.brand);
  if (!priced.ok) {
    return err(issueOf(priced.error.code, folio, reader) ?? reader.words.payIssues.changed);
  }
  const replaced = schedulesToReplace(folio.transactions, folio.balance, requested.value);
  return ok({ requestedMinor: requested.value, priced: priced.value, replaced });
}

function priceOf(
  c: AppContext,
  { state }: Folio,
  card: CardRow | null,
  minor: number,
  brand: string | null,
): Result<Priced | null, Failure> {
  const atMs = propertyNow(state.property);
  const stepMinor = selectGateway(c.get('config'), c.env).amountStepMinor(state.booking.currency);
  const moment = { atMs, stepMinor };
  return card === null
    ? priceOfNewCard(state, brand, minor, moment)
    : guestPrice(state, card, minor, moment);
}

/** Whether this is the price, and these are the schedules, that the page showed to the guest. */
export function isAgreed({ priced, replaced }: Quote, form: PayForm): boolean {
  const ids = form.replaces ?? [];
  return (
    priced !== null &&
    form.agreedMinor === priced.amountMinor &&
    ids.length === replaced.length &&
    replaced.every(({ id }) => ids.includes(id))
  );
}
