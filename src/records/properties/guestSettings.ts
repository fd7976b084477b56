/** A change of settings that are kept as one object: what is left out keeps its value, null takes a value away. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | null | undefined } | null | undefined;

/** Settings after a change; null if none is left. */
export function changed<T extends object>(before: T | null, changes: Changes<T>): T | null {
  if (changes === undefined) return before;
  if (changes === null) return null;
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(named) };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  return kept.length === 0 ? null : (Object.fromEntries(kept) as T);
}
