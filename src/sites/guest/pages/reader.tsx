import { type Child, createContext, useContext } from 'hono/jsx';
import { englishReader, type Reader } from '../../../core/words/reader.ts';

const PageContext = createContext({ reader: englishReader, address: '' });

/** For whom the page is written: its words, amounts and times. */
export function useReader(): Reader {
  return useContext(PageContext).reader;
}

/** The page's own address, where the guest comes back to in another language. */
export function useAddress(): string {
  return useContext(PageContext).address;
}

export function ReadBy({
  reader,
  address,
  children,
}: {
  readonly reader: Reader;
  readonly address: string;
  readonly children?: Child;
}) {
  return <PageContext.Provider value={{ reader, address }}>{children}</PageContext.Provider>;
}
