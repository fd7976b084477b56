/** What keeps values by their keys: a `Map` or a `WeakMap`. */
interface Keeper<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** What is kept under a key; it is made, and kept, when there is none yet. */
export function madeOnce<Key, Value>(kept: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
