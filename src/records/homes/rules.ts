/** How full the fullest database is (interface: Health). */
export type Fullness = 'ok' | 'filling' | 'full';

/** From here on a database should get a sibling, and from here on it takes no new property. */
const FILLING_PERCENT = 80;
const FULL_PERCENT = 95;

/** How much of what it may hold a database has, in percent with one decimal. */
export function percentOf(bytes: number, limit: number): number {
  return Math.round((bytes / limit) * 1_000) / 10;
}

export function isFull(percent: number): boolean {
  return percent >= FULL_PERCENT;
}

export function fullnessOf(percents: readonly number[]): Fullness {
  const most = Math.max(...percents);
  if (isFull(most)) return 'full';
  return most >= FILLING_PERCENT ? 'filling' : 'ok';
}

/** The database with the fewest bytes; of those that have as many, with the fewest properties; null if there is none. */
export function roomiest<One extends { readonly bytes: number; readonly properties: number }>(
  all: readonly One[],
): One | null {
  const [first, ...others] = all;
  if (!first) return null;
  const hasLess = (one: One, other: One) =>
    one.bytes < other.bytes || (one.bytes === other.bytes && one.properties < other.properties);
  return others.reduce((least, one) => (hasLess(one, least) ? one : least), first);
}
