import { type Child, createContext, useContext } from 'hono/jsx';
import { languages, wordsOf } from '../../../core/words/words.ts';
import { useReader } from './reader.tsx';

/** The path of the form by which guests choose their language. */
export const LANGUAGE_PATH = '/guest/v1/language';

const AddressContext = createContext('');

/** Tells a page its own address, where the guest comes back to in another language. */
export function ShownAt({
  address,
  children,
}: {
  readonly address: string;
  readonly children?: Child;
}) {
  return <AddressContext.Provider value={address}>{children}</AddressContext.Provider>;
}

/** A list of the languages, each in its own words. It needs no JavaScript. */
export function Languages() {
  const { frame, language: shown, ownName } = useReader().words;
  return (
    <details class="languages">
      <summary>
        {frame.language}: {ownName}
      </summary>
      <form method="post" action={LANGUAGE_PATH}>
        <input type="hidden" name="back" value={useContext(AddressContext)} />
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
