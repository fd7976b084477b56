import { z } from 'zod';
import { tokenizeBody } from '../cards/schemas.ts';
import type { CardFacts } from '../core/cardNumbers.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { CardEntry } from '../gateways/gateway.ts';
import type { CardFaults, CardField } from './pages/card.tsx';

/** A card as a guest typed it, on its way to the vault. */
export interface TypedCard {
  readonly entry: CardEntry;
  readonly facts: CardFacts;
  readonly attempt: string;
}

/** What a guest is told of a field, by the fault's code. */
const words: Readonly<Record<CardField, string>> = {
  cardNumber: 'This is not a card number; please check its digits.',
  cardExpiry: 'Please write it as month and year, such as 04/29.',
  cvv: 'Please write its 3 or 4 digits.',
  cardHolderName: 'Please write the name as it stands on the card, not its number.',
};

const EXPIRED = 'This card has expired; please use another one.';

const attempt = z.uuid();

/** Reads the form of a card; `attempt` faults make a new one. */
export function readCardForm(
  form: Readonly<Record<string, string>>,
): Result<TypedCard, CardFaults> {
  const { cardNumber = '', cvv = '', cardHolderName = '' } = form;
  const parsed = tokenizeBody.safeParse({
    cardNumber,
    cardExpiry: expiryOf(form['cardExpiry'] ?? ''),
    cvv: cvv.trim(),
    cardHolderName: cardHolderName.trim(),
  });
  const named = attempt.safeParse(form['attempt']);
  if (!parsed.success) return err(faultsOf(parsed.error));
  const { number, expiry, facts, ...rest } = parsed.data;
  return ok({
    entry: {
      number,
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      holderName: rest.cardHolderName ?? null,
      cvv: rest.cvv ?? null,
    },
    facts,
    attempt: named.success ? named.data : crypto.randomUUID(),
  });
}

/** `4/29`, `04 / 2029` and `0429` as `04/2029`; anything else as it is, to be refused. */
function expiryOf(typed: string): string {
  const parts = /^\s*(\d{1,2})\s*[/.-]?\s*(?:20)?(\d{2})\s*$/.exec(typed);
  return parts ? `${parts[1]?.padStart(2, '0')}/20${parts[2]}` : typed;
}

function faultsOf({ issues }: z.ZodError): CardFaults {
  const faults: CardFaults = {};
  for (const { path, ...issue } of issues) {
    const field = String(path[0]) as CardField;
    const params = 'params' in issue ? (issue.params as { code?: string }) : {};
    faults[field] ??= params.code === 'card_expired' ? EXPIRED : words[field];
  }
  return faults;
}
