import { isolated } from '../../../core/format.ts';
import { type AgreementKind, agreementName } from '../../../records/cards/agreement.ts';
import type { ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** What a guest agrees to by saving a card. The text's name is recorded with the card. */
export function Agreement({
  property,
  kind,
}: {
  readonly property: ShownProperty;
  readonly kind: AgreementKind;
}) {
  const { agreement, language } = useReader().words;
  const name = isolated(property.name);
  const termsUrl = property.contact?.termsUrl;
  return (
    <>
      <input type="hidden" name="agreed" value={agreementName(kind, language)} />
      <p class="hint">
        {agreement[kind]({ property: name })}{' '}
        {termsUrl !== undefined && (
          <a href={termsUrl} rel="noreferrer" target="_blank">
            {agreement.terms({ property: name })}
          </a>
        )}
      </p>
    </>
  );
}
