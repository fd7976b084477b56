import { holdsCardNumber } from '../../../core/cardNumbers.ts';
import type { IsoDate } from '../../../core/time.ts';

/** A line of a bank statement, as the bank wrote it. */
export interface StatementLine {
  /** The day of booking. */
  readonly date: IsoDate;
  readonly currency: string;
  /** Negative for what left the account. */
  readonly amountMinor: number;
  readonly description: string;
  /** The bank's own reference of the line; null where it has none. */
  readonly reference: string | null;
}

/** The most lines of one statement (interface: Limits). */
export const MOST_LINES = 100_000;

const LONGEST_DESCRIPTION = 500;

/** References that say that there is none. */
const NO_REFERENCE = /^(?:|0+|none|nonref|notprovided|n\/?a|-+)$/i;

/** The bank's reference of a line; null for a text that stands for none. */
export function referenceOf(text: string | undefined): string | null {
  const reference = (text ?? '').trim();
  return NO_REFERENCE.test(reference) ? null : reference;
}

/** Texts of a line as one description, without those that repeat another, and on one line. */
export function descriptionOf(texts: readonly string[]): string {
  const clean = texts
    .map((text) =>
      text
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .toWellFormed()
        .trim(),
    )
    .filter((text) => referenceOf(text) !== null);
  return [...new Set(clean)].join(' ').slice(0, LONGEST_DESCRIPTION).toWellFormed();
}

/** Digits that nothing but signs interrupts, as many as the shortest card number has or more. */
const LONG_RUN = /\d(?:[^\p{L}\d]*\d){12,}/gu;

/**
 * A bank's text as it may be kept: of what could be a card number only the last four digits. A bank writes account
 * numbers and references of that form, so they are no reason to refuse its statement.
 */
export function withoutCardNumbers(text: string): string {
  if (!holdsCardNumber(text)) return text;
  const hidden = text.replaceAll(LONG_RUN, (run) => `…${run.slice(-4)}`);
  return holdsCardNumber(hidden) ? hidden.replaceAll(/\p{N}/gu, 'X') : hidden;
}

/**
 * What makes a line the same in another file, as a text: the bank's reference with the amount, or else the day, the amount
 * and the description.
 */
export function identityOf(line: StatementLine): string {
  const { amountMinor, currency, date, description, reference } = line;
  const named = reference === null ? [date, description] : [reference];
  return JSON.stringify([...named, amountMinor, currency]);
}
