import { languages, wordsOf } from '../../../core/words/words.ts';
import { useAddress, useReader } from './reader.tsx';

/** The path of the form by which guests choose their language. */
export const LANGUAGE_PATH = '/guest/v1/language';

/** A list of the languages, each in its own words. It needs no JavaScript. */
export function Languages() {
  const { frame, language: shown, ownName } = useReader().words;
  return (
    <details class="languages">
      <summary>
        {frame.language}: {ownName}
      </summary>
      <form method="post" action={LANGUAGE_PATH}>
        <input type="hidden" name="back" value={useAddress()} />
        {languages
          .filter((language) => language !== shown)
          .map((language) => (
            <button type="submit" name="language" value={language} lang={language}>
              {wordsOf(language).ownName}
            </button>
          ))}
      </form>
    </details>
  );
}
