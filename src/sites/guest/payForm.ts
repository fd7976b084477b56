import { z } from 'zod';
import { typedMoney } from '../../core/format.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { typedAmount } from '../../core/typedAmount.ts';
import type { Reader } from '../../core/words/reader.ts';
import type { Folio } from '../../money/guest/folio.ts';
import { paymentChoices } from '../../money/guest/rules.ts';
import { FEW_DIGITS, repeatable } from '../web/repeatable.ts';
import type { CardIssues } from './pages/cardFields.tsx';

/** What is wrong with a payment's form, by field. */
export type PayIssues = CardIssues & { readonly amount?: string; readonly card?: string };

/** The card of the form that is not saved yet. */
export const NEW_CARD = 'new';

const minorText = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
  .pipe(z.int().positive());

/** The ids of the schedules that the guest pays early. */
const idsText = z
  .string()
  .regex(/^(\d{1,16}(,\d{1,16})*)?$/)
  .transform((text) => (text === '' ? [] : text.split(',').map(Number)));

/** The schedule that the guest pays in part, and what it then takes: its id and minor units. */
const lowersText = z
  .string()
  .regex(/^(\d{1,16}:\d{1,12})?$/)
  .transform((text) => {
    const [id, requestedMinor] = text.split(':').map(Number);
    return id === undefined || requestedMinor === undefined ? null : { id, requestedMinor };
  });

const fewDigits = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((text) => repeatable(text, FEW_DIGITS))
    .catch('');

const payForm = z.object({
  attempt: z.guid().nullable().catch(null),
  choice: z.enum(['asked', 'rest', 'deposit', 'all', 'other']).catch('other'),
  amount: z
    .string()
    .max(40)
    .transform((text) => repeatable(text))
    .catch(''),
  card: z
    .string()
    .regex(/^[0-9a-f]{32}$|^new$/)
    .nullable()
    .catch(null),
  /** The brand of a card that is being typed, as the page's script tells it. */
  brand: z.enum(['visa', 'mastercard', 'amex']).nullable().catch(null),
  /** The total and the schedules that the page showed as replaced and lowered; null where it showed none. */
  agreedMinor: minorText.nullable().catch(null),
  replaces: idsText.nullable().catch(null),
  lowers: lowersText.nullable().catch(null),
  /** Whether the page showed only the price. */
  reviewed: z.literal('1').nullable().catch(null),
  cardExpiry: fewDigits(12),
  cardHolderName: fewDigits(100),
});

/** What a guest chose and typed, without the card's number and code. */
export type PayForm = z.infer<typeof payForm>;

/** Reads a payment's form, or the query that asks for its price. What makes no sense counts as left out. */
export function readPayForm(fields: Readonly<Record<string, string>>): PayForm {
  return payForm.parse(fields);
}

/** The amount that a guest chose, in minor units, or why it cannot be paid. */
export function requestedMinor(
  { amount, choice }: Pick<PayForm, 'amount' | 'choice'>,
  { asked, balance, state }: Folio,
  { money, words }: Reader,
): Result<number, string> {
  const { currency, firstNightCostMinor, status } = state.booking;
  const { payIssues } = words;
  if (status === 'cancelled') return err(payIssues.cancelled);
  if (choice !== 'other') {
    const choices = paymentChoices(balance, firstNightCostMinor, asked);
    const chosen = choices.find(({ name }) => name === choice);
    return chosen ? ok(chosen.amountMinor) : err(payIssues.changed);
  }
  const typed = typedAmount(amount, currency);
  if (!typed.ok && typed.error.kind === 'ambiguous') {
    const { decimalMinor, thousandsMinor } = typed.error;
    const [small, great] = [decimalMinor, thousandsMinor].map((minor) =>
      typedMoney(minor, currency, words.locale),
    );
    return err(payIssues.amountUnclear({ small: String(small), great: String(great) }));
  }
  const minor = typed.ok ? typed.value : 0;
  if (minor <= 0) {
    const exampleMinor = balance.proposedMinor || balance.payableMinor;
    return err(
      payIssues.amountFormat({ example: typedMoney(exampleMinor, currency, words.locale) }),
    );
  }
  return minor > balance.payableMinor
    ? err(payIssues.amountTooMuch({ amount: money(balance.payableMinor, currency) }))
    : ok(minor);
}
