import { describe, expect, it } from 'vitest';
import { decodeUtf8, readLimited } from '../../src/platform/readLimited.ts';

/** A stream of chunks of these lengths, and how many of them were taken before it ended or was cancelled. */
function chunks(...lengths: readonly number[]) {
  const seen = { taken: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const length = lengths[seen.taken];
        if (length === undefined) return controller.close();
        controller.enqueue(new Uint8Array(length).fill(seen.taken));
        seen.taken += 1;
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, stream };
}

describe('a stream that is read up to a limit', () => {
  it('is read whole when it is just as long', async () => {
    const { seen, stream } = chunks(2, 0, 1);
    const read = await readLimited(stream, { limitBytes: 3, drainBytes: 3 });
    expect(read).toEqual(new Uint8Array([0, 0, 2]));
    expect(seen.cancelled).toBe(false);
  });

  it('is empty when it has nothing', async () => {
    const { stream } = chunks();
    expect(await readLimited(stream, { limitBytes: 3, drainBytes: 3 })).toEqual(new Uint8Array());
  });

  it('is cancelled as soon as it is longer than may be drained', async () => {
    const { seen, stream } = chunks(2, 2, 2);
    expect(await readLimited(stream, { limitBytes: 3, drainBytes: 3 })).toBeNull();
    expect(seen).toEqual({ taken: 2, cancelled: true });
  });

  it('is drained to its end when it is no longer than that', async () => {
    const { seen, stream } = chunks(2, 2, 2);
    expect(await readLimited(stream, { limitBytes: 3, drainBytes: 6 })).toBeNull();
    expect(seen).toEqual({ taken: 3, cancelled: false });
  });
});

describe('bytes', () => {
  it('are text without a byte order mark', () => {
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x68, 0x69]))).toBe('hi');
  });

  it('that are no UTF-8 are none', () => {
    expect(decodeUtf8(new Uint8Array([0x68, 0xff]))).toBeNull();
  });
});
