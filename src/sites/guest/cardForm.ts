import { z } from 'zod';
import { err, ok, type Result } from '../../core/result.ts';
import type { Words } from '../../core/words/words.ts';
import { typedCard } from '../../http/typedCard.ts';
import type { TypedCard } from '../../records/cards/enter.ts';
import type { CardField, CardIssues } from './pages/cardFields.tsx';

const attempt = z.uuid();

/** American Express prints four digits on the front, where other brands have three on the back. */
const AMEX_CODE_DIGITS = 4;

/** Reads a card's form. `nowMs` is what the property's clock shows. A missing or invalid `attempt` gets a new id. */
export function readCardForm(
  form: Readonly<Record<string, string>>,
  nowMs: number,
  { cardForm }: Words,
): Result<TypedCard, CardIssues> {
  const { cardNumber = '', cvv = '', cardHolderName = '' } = form;
  const parsed = typedCard(() => nowMs).safeParse({
    cardNumber,
    cardExpiry: normaliseExpiry(form['cardExpiry'] ?? ''),
    cvv: cvv.trim(),
    cardHolderName: cardHolderName.trim(),
  });
  if (!parsed.success) return err(issuesOf(parsed.error, cardForm.issues));
  const { number, expiry, facts, ...rest } = parsed.data;
  if (facts.brand === 'amex' && rest.cvv?.length !== AMEX_CODE_DIGITS) {
    return err({ cvv: cardForm.issues.cvvOf({ digits: AMEX_CODE_DIGITS }) });
  }
  return ok({
    entry: {
      number,
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      holderName: rest.cardHolderName ?? null,
      cvv: rest.cvv ?? null,
    },
    facts,
    attempt: attempt.safeParse(form['attempt']).data ?? crypto.randomUUID(),
  });
}

/** Rewrites `4/29`, `04 / 2029` and `0429` as `04/2029`; leaves anything else for the validation to reject. */
function normaliseExpiry(typed: string): string {
  const parts = /^\s*(\d{1,2})\s*[/.-]?\s*(?:20)?(\d{2})\s*$/.exec(typed);
  return parts ? `${parts[1]?.padStart(2, '0')}/20${parts[2]}` : typed;
}

/** The first issue of each field. */
function issuesOf(error: z.ZodError, words: Words['cardForm']['issues']): CardIssues {
  const issues: CardIssues = {};
  for (const { path, ...issue } of error.issues) {
    const field = String(path[0]) as CardField;
    const params = 'params' in issue ? (issue.params as { code?: string }) : {};
    issues[field] ??= params.code === 'card_expired' ? words.expired : words[field];
  }
  return issues;
}
