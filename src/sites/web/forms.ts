import { err, ok, type Result } from '../../core/result.ts';
import { readBody } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';

/** The most bytes of a form. The largest form, a card's, is much smaller. */
const FORM_LIMIT_BYTES = 16 * 1024;

/** The fields of a form by name. If a name occurs twice, the last one counts. */
export type Form = Readonly<Record<string, string>>;

/** Reads a form; the HTTP status of the error if the body is not a form. */
export async function formOf(c: AppContext): Promise<Result<Form, 400 | 413 | 415>> {
  const form = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
  if (!form.test(c.req.header('Content-Type') ?? '')) return err(415);
  const body = await readBody(c, FORM_LIMIT_BYTES);
  if (body.kind !== 'text') return err(body.kind === 'too-large' ? 413 : 400);
  return ok(Object.fromEntries(new URLSearchParams(body.text)));
}
