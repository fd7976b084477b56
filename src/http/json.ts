import { parseJson } from '../core/json.ts';
import { ok, type Result, refuse } from '../core/result.ts';
import { readBody } from './body.ts';
import type { AppContext } from './context.ts';

/** The size limit of JSON bodies, unless an operation sets its own (interface: Limits). */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** That of pushes, ledgers and bank statements: a year of daily prices of a hundred rates (interface: Limits). */
export const LARGE_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** The most objects and lists in a body: a few for each range of the largest push. Parsed, millions of them fill memory. */
const MOST_OBJECTS = 200_000;

const BRACE = '{'.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

export interface JsonBody {
  readonly value: object;
  readonly bytes: number;
}

/** Content types that name another kind of body than JSON. */
const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/[^;]*)\s*(?:;|$)/i;

export function namesForm(c: AppContext): boolean {
  return FORM.test(c.req.header('Content-Type') ?? '');
}

/** Reads a JSON object, whatever its content type, unless that names a form. Checks this before it reads the body. */
export async function readJson(c: AppContext, limitBytes: number): Promise<Result<JsonBody>> {
  if (namesForm(c)) {
    return refuse('unsupported_media_type', 'Send the body as application/json.');
  }
  const body = await readBody(c, limitBytes);
  if (!body.ok) return body;
  const { bytes, text } = body.value;
  if (text !== null && mayHoldMoreObjects(text, MOST_OBJECTS)) {
    const detail = `The body may hold at most ${MOST_OBJECTS} objects and lists.`;
    return refuse('invalid_request', detail);
  }
  const value = text === null ? undefined : parseJson(text);
  if (value === undefined) {
    return refuse('malformed_json', 'The body must be well-formed JSON in UTF-8.');
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? ok({ value, bytes })
    : refuse('invalid_request', 'The body must be a JSON object.');
}

/** Whether a text has more opening brackets than `most`. Those inside of its strings count, too. */
function mayHoldMoreObjects(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let opened = 0;
  for (let at = 0; at < text.length && opened <= most; at += 1) {
    const character = text.charCodeAt(at);
    if (character === BRACE || character === BRACKET) opened += 1;
  }
  return opened > most;
}
