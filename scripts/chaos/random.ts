/** Random choices from a seed. Each stream has its own name, so that timing does not change the choices. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** From 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.next() * (highest - lowest + 1));
  }

  /** Whether something of this probability happens. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of these, or undefined when there are none. */
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.between(0, choices.length - 1)];
  }

  /** One of these, by weight. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new Error('there is nothing to choose from');
  }
}

/** FNV-1a over the characters of a text. */
function hash(text: string): number {
  let state = 0x81_1c_9d_c5;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return state;
}
