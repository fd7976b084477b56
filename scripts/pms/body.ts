import type { IncomingMessage } from 'node:http';
import { Unreadable } from './unreadable.ts';

/** The longest accepted body. */
const MOST_BYTES = 1024 * 1024;

/** A request's body, and its content headers. */
export interface Body {
  readonly contentType: string;
  readonly contentLength: number;
  readonly text: string;
}

/** Reads a whole body. It must have a Content-Length, be UTF-8, and have at most 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const { 'content-type': contentType = '', 'content-length': length } = request.headers;
  if (length === undefined) throw new Unreadable(411, 'Content-Length is missing');
  const contentLength = Number(length);
  if (contentLength > MOST_BYTES) throw new Unreadable(413, 'the body is longer than 1 MiB');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { contentType, contentLength, text: decoded(Buffer.concat(chunks)) };
}

/** Parses JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable(400, 'the body is not JSON');
  }
}

function decoded(bytes: Buffer): string {
  try {
    // Keep a byte order mark, so that the parsers refuse it: neither JSON nor this XML needs one.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable(400, 'the body is not UTF-8');
  }
}
