interface Limits {
  /** The longest accepted stream. */
  readonly limitBytes: number;
  /** How much of a too long stream to read before cancelling it. */
  readonly drainBytes: number;
}

/** Reads a stream into memory; null when it is longer than `limitBytes`. Never keeps more than that. */
export async function readLimited(
  stream: ReadableStream<Uint8Array>,
  { limitBytes, drainBytes }: Limits,
): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes <= limitBytes) chunks.push(value);
    else chunks.length = 0;
    if (bytes > drainBytes) {
      await reader.cancel();
      break;
    }
  }
  return bytes > limitBytes ? null : joined(chunks, bytes);
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Decodes UTF-8 without its byte order mark; null for invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
