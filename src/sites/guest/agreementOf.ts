import { z } from 'zod';

/** The name of an agreement, and the language in which the guest read it. */
const agreed = z.string().regex(/^(?:payment|saved)-\d{1,3} [A-Za-z-]{2,35}$/);

/** What the guest agreed to by sending a card's form, as its page named it; null if it named nothing. */
export function agreementOf(form: Readonly<Record<string, string>>): string | null {
  const named = agreed.safeParse(form['agreed']);
  return named.success ? named.data : null;
}
