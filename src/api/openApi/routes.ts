import { etag } from 'hono/etag';
import { HOUR_MS } from '../../core/time.ts';
import { publicBaseUrl } from '../../http/baseUrl.ts';
import type { AppContext } from '../../http/context.ts';
import type { OpenApiDocument } from '../../http/openApiDocument.ts';
import type { Api } from '../../http/operation.ts';
import { readAsset } from '../../platform/assets.ts';
import { filledIn } from './blanks.ts';

/** The document, filled in again each hour for its examples' times. */
interface Made {
  readonly document: OpenApiDocument;
  readonly text: string;
  readonly baseUrl: string;
  readonly atMs: number;
}

/**
 * Registers `GET /openapi.json`, and returns what reads the document that it serves (interface: OpenAPI). It was made of the
 * routes before this start (`scripts/document`).
 */
export function registerOpenApi(api: Api): (c: AppContext) => Promise<OpenApiDocument> {
  let kept: Made | undefined;
  const read = async (c: AppContext): Promise<Made> => {
    const baseUrl = publicBaseUrl(c);
    const nowMs = Date.now();
    if (kept?.baseUrl !== baseUrl || Math.abs(nowMs - kept.atMs) >= HOUR_MS) {
      const made = JSON.stringify(await readAsset(c.env, '/openapi/document.json'));
      const text = filledIn(made, baseUrl, nowMs);
      kept = { document: JSON.parse(text) as OpenApiDocument, text, baseUrl, atMs: nowMs };
    }
    return kept;
  };
  api.get('/openapi.json', etag(), async (c) =>
    c.body((await read(c)).text, 200, {
      'Content-Type': 'application/json',
      // It is the same for an hour, but requested again: a deployment changes it.
      'Cache-Control': 'no-cache',
    }),
  );
  return async (c) => (await read(c)).document;
}
