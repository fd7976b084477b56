import { createContext, useContext } from 'hono/jsx';
import { englishReader, type Reader } from '../../../core/words/reader.ts';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { GuestContext } from '../session.ts';

export type ShownProperty = Pick<PropertyRow, 'name' | 'contact' | 'branding'>;

/** What a page is about, and what it loads besides this service's own files. */
export interface Frame {
  /** The property that the page speaks for; left out where that is not known. */
  readonly property?: ShownProperty | null;
  /** The acquirer's own form. */
  readonly element?: ElementPageParts | null;
  /** The guest's session on a booking's page. */
  readonly guest?: GuestContext;
}

interface ShownPage extends Frame {
  /** For whom the page is written: its words, amounts and times. */
  readonly reader: Reader;
  /** The page's own address, where the guest comes back to in another language. */
  readonly address: string;
}

export const PageContext = createContext<ShownPage>({ reader: englishReader, address: '' });

export function usePage(): ShownPage {
  return useContext(PageContext);
}

export function useReader(): Reader {
  return usePage().reader;
}

/** The session that a page about a booking shows. */
export function useGuest(): GuestContext {
  const { guest } = usePage();
  if (!guest) throw new Error('a page about a booking has no session');
  return guest;
}
