interface MapLike<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key; computes and stores a missing one. (Node 24 lacks this method of `Map`.) */
export function getOrInsertComputed<Key, Value>(
  map: MapLike<Key, Value>,
  key: Key,
  compute: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const computed = compute();
  map.set(key, computed);
  return computed;
}
