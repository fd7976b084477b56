/** How large every part of a multipart upload is but the last: what R2 asks for at least. */
export const PART_BYTES = 5 * 1024 * 1024;

const encoder = new TextEncoder();

/** Memory of one part's size that is in no use: what waits for its collection would be far more than is needed. */
const spare: ArrayBuffer[] = [];

/** Memory for one part, its contents undefined. */
export function takeMemory(): ArrayBuffer {
  return spare.pop() ?? new ArrayBuffer(PART_BYTES);
}

/** Gives memory back that nobody uses any more: no upload may still read it. */
export function giveMemoryBack(memory: ArrayBuffer): void {
  spare.push(memory);
}

/** Fills parts of exactly one size with UTF-8, in memory that is used again for each. */
export class PartBuffer {
  readonly #buffer: Uint8Array<ArrayBuffer>;
  #used = 0;

  constructor(memory: ArrayBuffer) {
    this.#buffer = new Uint8Array(memory);
  }

  /** The bytes of the part so far; they change when the part is begun anew. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#used);
  }

  /** What it was made with. */
  get memory(): ArrayBuffer {
    return this.#buffer.buffer;
  }

  /** Adds a text. When the part is full, returns what of the text belongs into the next one; else null. */
  add(text: string): Uint8Array<ArrayBuffer> | null {
    const free = this.#buffer.subarray(this.#used);
    const { read, written } = encoder.encodeInto(text, free);
    this.#used += written;
    if (read === text.length && this.#used < this.#buffer.length) return null;
    const rest = encoder.encode(text.slice(read));
    const fits = rest.subarray(0, this.#buffer.length - this.#used);
    this.#buffer.set(fits, this.#used);
    this.#used += fits.length;
    return rest.slice(fits.length);
  }

  /** Begins the next part with what was left of the one before. */
  begin(carried: Uint8Array): void {
    this.#buffer.set(carried);
    this.#used = carried.length;
  }
}
