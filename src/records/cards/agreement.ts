import { languages } from '../../core/words/words.ts';

/** What a page shows to a guest about a card that they enter: it is to pay with, or to be kept. */
export type AgreementKind = 'payment' | 'saved';

/** The texts that the pages show today: a changed text gets the next number. */
const TEXTS = { payment: 'payment-1', saved: 'saved-1' } as const;

/** Whether a card was entered to pay with, by the text that its guest agreed to. */
export function isToPay(agreement: string | null): boolean {
  return agreement?.startsWith('payment-') ?? false;
}

/** The name of a text, with the language in which a page shows it. */
export function agreementName(kind: AgreementKind, language: string): string {
  return `${TEXTS[kind]} ${language}`;
}

/**
 * What the guest agreed to by sending the form of a page that shows a text of `kind`. Null if the form does not name that
 * text in a language of ours: then nobody agreed to anything.
 */
export function agreementOf(
  form: Readonly<Record<string, string>>,
  kind: AgreementKind,
): string | null {
  const names = languages.map((language) => agreementName(kind, language));
  return names.find((name) => name === form['agreed']) ?? null;
}
