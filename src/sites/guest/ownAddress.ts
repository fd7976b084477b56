import { holdsCardNumber } from '../../core/cardNumbers.ts';

/** The ids in addresses of pages: whatever digits they have, they are no card numbers. */
const OWN_ID = /^[0-9a-f]{32}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The address of a page, as the page may repeat it: without what may be a card number in it. `ownIds` are the charges
 * that the page shows: some of their ids have the form of a card number by chance.
 */
export function ownAddress(url: string, ownIds: readonly number[] = []): string {
  const { pathname, searchParams } = new URL(url);
  const isHarmless = (text: string) =>
    OWN_ID.test(text) || ownIds.some((id) => String(id) === text) || !holdsCardNumber(text);
  const kept = [...searchParams].filter((entry) => entry.every(isHarmless));
  const query = new URLSearchParams(kept).toString();
  const path = decoded(pathname).split('/').every(isHarmless) ? pathname : '/';
  return query === '' ? path : `${path}?${query}`;
}

/** What is still escaped afterwards counts as a space. */
function decoded(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, ' ');
}
