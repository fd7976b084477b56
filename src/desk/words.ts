import messages from '../../locales/staff/en.json' with { type: 'json' };
import { capitalisedBrand } from '../core/cardNumbers.ts';
import type { Failure } from '../core/failure.ts';
import { type AmountDoubt, typableAmount } from '../core/typedAmount.ts';
import { type Catalogue, worded } from '../core/words/words.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';

/** All that staff read on pages and in files. It is in English only. */
export const words = worded(messages, 'en-GB') as Catalogue<typeof messages>;

/** The word for something that others name; undefined if there is none. */
export function wordFor(all: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Why something was not done, for people at a desk: callers of the interface read other words. */
export function failureCopy({ code, detail, members }: Failure): string {
  const { notDone } = words.actions;
  switch (code) {
    case 'no_card':
      return notDone.noCard;
    case 'outcome_unknown':
      return notDone.outcomeUnknown;
    case 'card_declined':
      return members?.transaction
        ? notDone.declined({ reason: declineCopy(members.declineCode ?? null) })
        : detail;
    case 'gateway_error':
      return members?.transaction ? notDone.gateway : detail;
    default:
      return detail;
  }
}

/** Why a card was declined, in plain words; a code that nobody has words for stands for itself. */
export function declineCopy(declineCode: string | null): string {
  const code = declineCode ?? 'generic_decline';
  return wordFor(words.declines, code) ?? code.replaceAll('_', ' ');
}

export function cardCopy({
  brand,
  last4,
}: {
  readonly brand: string | null;
  readonly last4: string | null;
}): string {
  return brand === null || last4 === null
    ? words.list.bookingsCard
    : `${capitalisedBrand(brand)} ${last4}`;
}

/** What a payment is, and what for: `Payment (balance)`. */
export function whatCopy({ kind, purpose }: Pick<TransactionRow, 'kind' | 'purpose'>): string {
  return words.list.what({ kind: words.kinds[kind], purpose: words.purposes[purpose] });
}

/**
 * What is wrong with an amount as typed: `unreadable` says it of a text that is none. Of two, it asks which was meant, in
 * texts that are one of them only.
 */
export function amountCopy(doubt: AmountDoubt, currency: string, unreadable: string): string {
  if (doubt.kind === 'unreadable') return unreadable;
  const { decimalMinor, thousandsMinor } = doubt;
  const small = typableAmount(decimalMinor, currency);
  return words.amounts.which({ small, large: typableAmount(thousandsMinor, currency) });
}
