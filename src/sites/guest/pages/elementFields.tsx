import type { Words } from '../../../core/words/words.ts';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { useReader } from './reader.tsx';

/** What the script of the acquirer's own form reads from ours. */
export function elementData(
  { publishableKey }: ElementPageParts,
  { currency, merchantAccount }: Pick<PropertyRow, 'currency' | 'merchantAccount'>,
  texts: Words['element'],
) {
  return {
    'data-element': '',
    'data-key': publishableKey,
    'data-account': merchantAccount ?? '',
    'data-currency': currency.toLowerCase(),
    'data-not-loaded': texts.notLoaded,
    'data-load-error': texts.loadError,
    'data-no-answer': texts.noAnswer,
    'data-check-card': texts.checkCard,
  };
}

/** Where the acquirer's own form appears. Our form gets a token of the card. */
export function ElementFields() {
  const { element } = useReader().words;
  return (
    <>
      <input type="hidden" name="confirmationToken" value="" />
      <div id="element" class="element">
        <p>{element.needsScript}</p>
      </div>
      <p id="element-fault" class="fault" aria-live="polite"></p>
    </>
  );
}
