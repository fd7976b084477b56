import { hex } from './ids.ts';

/** The SHA-256 of a text or of bytes, in hex digits; of the first `bytes` of it, where fewer are enough. */
export async function digestOf(data: string | BufferSource, bytes = 32): Promise<string> {
  const told = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', told), 0, bytes));
}
