/** What was looked up last, by name: no more than a number of things, the oldest forgotten first. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  /** Remembers a value as the newest. */
  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    const oldest = this.#values.keys().next();
    if (this.#values.size > this.#most && !oldest.done) this.#values.delete(oldest.value);
  }

  forget(name: string): void {
    this.#values.delete(name);
  }

  /** Forgets whatever this is true of. */
  forgetWhere(isMeant: (value: Value) => boolean): void {
    for (const [name, value] of this.#values) {
      if (isMeant(value)) this.#values.delete(name);
    }
  }
}
