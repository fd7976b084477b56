import { err, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import { LARGE_BODY_LIMIT_BYTES } from '../../http/json.ts';
import { decodeUtf8, readLimited } from '../../platform/readLimited.ts';
import type { Form } from './forms.tsx';

/** What a form with a file sent: its fields, and the text of the file; empty without one. */
export interface FileForm {
  readonly fields: Form;
  readonly text: string;
}

/** How much of a too large form is read, so that its sender gets the answer. */
const DRAIN_LIMIT_BYTES = 2 * LARGE_BODY_LIMIT_BYTES;

/** Reads a form with a file of at most 8 MiB; the HTTP status of the error if the body is none. */
export async function fileFormOf(c: AppContext): Promise<Result<FileForm, 400 | 413 | 415>> {
  const contentType = c.req.header('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return err(415);
  const { body } = c.req.raw;
  if (body === null) return err(400);
  try {
    const limits = { limitBytes: LARGE_BODY_LIMIT_BYTES, drainBytes: DRAIN_LIMIT_BYTES };
    const bytes = await readLimited(body, limits);
    if (bytes === null) return err(413);
    const form = await new Response(bytes, {
      headers: { 'Content-Type': contentType },
    }).formData();
    return ok(await readParts(form));
  } catch {
    return err(400);
  }
}

async function readParts(form: FormData): Promise<FileForm> {
  const fields: Record<string, string> = {};
  let text = '';
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') fields[name] = value;
    else text = textOf(new Uint8Array(await (value as Blob).arrayBuffer()));
  }
  return { fields, text };
}

/** The text of a file. What is not UTF-8 is what older programs write. */
function textOf(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}
