import { type Child, createContext, useContext } from 'hono/jsx';
import { englishReader, type Reader } from '../../../core/words/reader.ts';

const ReaderContext = createContext<Reader>(englishReader);

/** For whom the page is written: its words, amounts and times. */
export function useReader(): Reader {
  return useContext(ReaderContext);
}

/** Writes a page for a reader. */
export function ReadBy({
  reader,
  children,
}: {
  readonly reader: Reader;
  readonly children?: Child;
}) {
  return <ReaderContext.Provider value={reader}>{children}</ReaderContext.Provider>;
}
