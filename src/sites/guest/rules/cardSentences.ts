import { isolated } from '../../../core/format.ts';
import type { Reader } from '../../../core/words/reader.ts';
import type { AgreementKind } from '../../../records/cards/rules.ts';

/** The sentences that a page says of a card beside its form. `showsCharges`: it lists what is charged automatically. */
export function cardSentences(
  { words: { agreement } }: Reader,
  kind: AgreementKind,
  { name }: { readonly name: string },
  showsCharges: boolean,
): string {
  const said = agreement[kind]({ property: isolated(name) });
  return showsCharges ? `${said} ${agreement.charges}` : said;
}
