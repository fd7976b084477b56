import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { readBody } from './body.ts';
import type { AppContext } from './context.ts';

/** How large a JSON body may be, unless an operation says otherwise (decisions: section 1). */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** A body that is a JSON object, and how large it was. */
export interface JsonBody {
  readonly value: object;
  readonly bytes: number;
}

/** Reads a JSON object; a body of another type, or none, is refused before anything else is looked at. */
export async function readJson(
  c: AppContext,
  limitBytes: number,
): Promise<Result<JsonBody, Failure>> {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('Content-Type') ?? '')) {
    return err(failure('unsupported_media_type', 'Send the body as application/json.'));
  }
  const body = await readBody(c, limitBytes);
  if (body.kind === 'too-large') return err(bodyTooLarge(limitBytes));
  const value = body.kind === 'text' ? parseJson(body.text) : undefined;
  if (body.kind !== 'text' || value === undefined) {
    return err(failure('malformed_json', 'The body is not well-formed JSON in UTF-8.'));
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? ok({ value, bytes: body.bytes })
    : err(failure('invalid_request', 'The body must be a JSON object.'));
}

/** A body may not be as large as this one. */
export function bodyTooLarge(limitBytes: number): Failure {
  return failure('body_too_large', `A body may have ${limitBytes} bytes at most.`);
}

/** The value of a JSON text; undefined, which JSON has not, when it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
