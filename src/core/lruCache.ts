/**
 * A cache of at most `capacity` values by name. A new value evicts the least recently used one. (A package would be
 * several times as large, and every isolate would load it at its start.)
 */
export class LruCache<Value> {
  readonly #capacity: number;
  /** In the order of last use: a `Map` iterates its keys in the order of insertion. */
  readonly #values = new Map<string, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name);
    if (value !== undefined) this.#setNewest(name, value);
    return value;
  }

  set(name: string, value: Value): void {
    this.#setNewest(name, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.#capacity && !oldest.done) this.#values.delete(oldest.value);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [name, value] of this.#values) {
      if (matches(value)) this.#values.delete(name);
    }
  }

  #setNewest(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
  }
}
