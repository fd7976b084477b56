/** The size of every part of a multipart upload except the last: R2's minimum. */
export const PART_BYTES = 5 * 1024 * 1024;

const encoder = new TextEncoder();

/** A pool of memory for parts. New memory for each part would fill the isolate before garbage collection. */
export class BufferPool {
  readonly #free: ArrayBuffer[] = [];

  /** Memory for one part, with undefined contents. */
  acquire(): ArrayBuffer {
    return this.#free.pop() ?? new ArrayBuffer(PART_BYTES);
  }

  /** Returns memory to the pool. No upload may still read it. */
  release(memory: ArrayBuffer): void {
    this.#free.push(memory);
  }
}

export const partMemory = new BufferPool();

/** Fills one part with UTF-8. */
export class PartBuffer {
  readonly #buffer: Uint8Array<ArrayBuffer>;
  #used: number;

  /** Starts a part in `memory` with the rest of the previous part. */
  constructor(memory: ArrayBuffer, carried: Uint8Array) {
    this.#buffer = new Uint8Array(memory);
    this.#buffer.set(carried);
    this.#used = carried.length;
  }

  /** The bytes of the part so far; a view of its memory. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#used);
  }

  get memory(): ArrayBuffer {
    return this.#buffer.buffer;
  }

  /** Adds a text. If the part is full then, returns the rest of the text for the next part; else null. */
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
}
