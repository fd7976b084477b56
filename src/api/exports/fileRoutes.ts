import { z } from '@hono/zod-openapi';
import fresh from 'fresh';
import { auth as basicCredentials } from 'hono/utils/basic-auth';
import { type Failure, type FieldIssue, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { parseIsoDate } from '../../core/time.ts';
import { findFile } from '../../exports/actions.ts';
import { bigQuerySchema } from '../../exports/rules/bigQuery.ts';
import { fileName, type Variant, variants } from '../../exports/rules/variants.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { problemResponse } from '../../http/problem.ts';
import { clientNetwork, enforceRate } from '../../http/rate.ts';
import { jsonAnswer, responsesFor } from '../../http/responses.ts';
import type { ExportRunRow } from '../../schema/exportTables.ts';
import { acceptsGzip, ifRangeMatches, selectRange } from './rules/negotiation.ts';

/** `GET /export` and `GET /export/schema`, for analysts (exports: Fetching a file). */
export function registerExportFiles(api: Api): void {
  addToOpenApi(api);
  api.get('/export', (c) => serveFile(c));
  api.get('/export/schema', (c) => {
    const query = readFileQuery(c);
    if (!query.ok) return problemResponse(c, query.error);
    const columns: z.infer<typeof schemaAnswer> = bigQuerySchema(query.value.variant);
    return c.json(columns, 200, { 'Cache-Control': 'public, max-age=300' });
  });
}

/** Columns in the form of BigQuery's schema files. */
const schemaAnswer = z.array(
  z.looseObject({
    name: z.string().describe('of the column'),
    type: z.string().describe('of BigQuery'),
    mode: z.string().describe('`NULLABLE` or `REPEATED`'),
    description: z.string().describe('what it means'),
  }),
);

async function serveFile(c: AppContext): Promise<Response> {
  const limited = await enforceRate(c, `export:${clientNetwork(c)}`);
  if (limited) return limited;
  const user = basicCredentials(c.req.raw);
  if (!user) return problemResponse(c, UNAUTHORIZED);
  const query = readFileQuery(c);
  const found = await findFile(
    c.get('database'),
    user,
    query.ok ? query.value : null,
    c.get('config').local,
  );
  if (!found.ok) return problemResponse(c, UNAUTHORIZED);
  if (!query.ok) return problemResponse(c, query.error);
  return found.value === null ? problemResponse(c, NO_FILE) : sendFile(c, found.value);
}

/** Reads the query of a request: exactly one flag is 1. The date is a UTC day; null for the newest file. */
function readFileQuery(
  c: AppContext,
): Result<{ readonly variant: Variant; readonly date: string | null }> {
  const flagged = variants.filter((variant) => c.req.query(variant) === '1');
  const date = c.req.query('date') ?? null;
  const issues: FieldIssue[] = [];
  if (flagged.length !== 1) {
    const message = `Exactly one of ${NAMED.format(variants)} must be 1.`;
    issues.push(...variants.map((field) => ({ field, code: 'invalid_value', message })));
  }
  if (date !== null && parseIsoDate(date) === null) {
    const message = 'Use an existing day as YYYY-MM-DD.';
    issues.push({ field: 'date', code: 'invalid_date', message });
  }
  const [variant] = flagged;
  return variant === undefined || issues.length > 0
    ? err({ code: 'invalid_request', detail: 'The query is invalid.', fields: issues })
    : ok({ variant, date });
}

const NAMED = new Intl.ListFormat('en');

/** Answers with a run's file, with a part of it, or with 304 if the client has it already. */
async function sendFile(c: AppContext, run: ExportRunRow): Promise<Response> {
  const { bytes: size } = run;
  const plain = fileHeaders(run);
  // Ignore the request's Cache-Control: it is for caches.
  const { 'cache-control': _, ...requested } = Object.fromEntries(c.req.raw.headers);
  // Only GET has ranges, only of the file as it is, and only while it is the one that `If-Range` names.
  const partial = c.req.method === 'GET' && ifRangeMatches(requested['if-range'], plain.ETag);
  const selection = selectRange(partial ? requested['range'] : undefined, size);
  const zipped = selection.kind === 'whole' && acceptsGzip(acceptedEncodings(c));
  const headers = zipped ? zippedHeaders(plain) : plain;
  // A client that accepts gzip may still hold the file as it is.
  const held = [headers, plain].find(({ ETag: etag, 'Last-Modified': modified }) =>
    fresh(requested, { etag, 'last-modified': modified }),
  );
  if (held) return c.body(null, 304, held);
  if (zipped) return streamZipped(c, run, headers);
  switch (selection.kind) {
    case 'unsatisfiable':
      return problemResponse(
        c,
        failure('range_not_satisfiable', `The file has only ${size} bytes.`),
        { headers: { 'Content-Range': `bytes */${size}` } },
      );
    case 'whole':
      return stream(c, run, null, { ...headers, 'Content-Length': String(size) });
    case 'part': {
      const { offset, length } = selection;
      return stream(c, run, selection, {
        ...headers,
        'Content-Length': String(length),
        'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}`,
      });
    }
  }
}

/** What the client accepts. Cloudflare changes the header itself and keeps the client's own value beside it. */
function acceptedEncodings(c: AppContext): string | null {
  const own = c.req.raw.cf?.['clientAcceptEncoding'];
  return typeof own === 'string' ? own : (c.req.header('Accept-Encoding') ?? null);
}

/** The compressed file is another representation, with a tag of its own. It is made as it is sent: no length, no ranges. */
function zippedHeaders(headers: ReturnType<typeof fileHeaders>) {
  const { 'Accept-Ranges': _, ...rest } = headers;
  return { ...rest, ETag: headers.ETag.replace(/"$/, '-gzip"'), 'Content-Encoding': 'gzip' };
}

/** Streams the file from R2 through a compressor, which holds a few kilobytes of it at a time. */
async function streamZipped(
  c: AppContext,
  run: ExportRunRow,
  headers: Record<string, string>,
): Promise<Response> {
  const whole = await stream(c, run, null, headers);
  if (whole.status !== 200 || whole.body === null) return whole;
  const zipped = whole.body.pipeThrough(new CompressionStream('gzip'));
  // The runtime would compress it once more.
  return new Response(zipped, { headers: whole.headers, encodeBody: 'manual' });
}

/** Streams the file from R2. HEAD reads nothing from it. */
async function stream(
  c: AppContext,
  run: ExportRunRow,
  range: { readonly offset: number; readonly length: number } | null,
  headers: Record<string, string>,
): Promise<Response> {
  const status = range === null ? 200 : 206;
  if (c.req.method === 'HEAD') return c.body(null, status, headers);
  const object = await c
    .get('trace')
    .span('r2.read', () => c.env.EXPORTS.get(run.objectKey, range === null ? {} : { range }));
  // Retention deleted the file after the query.
  if (object === null) return problemResponse(c, NO_FILE);
  return c.body(object.body, status, headers);
}

function fileHeaders(run: ExportRunRow) {
  const sha256 = run.sha256 ?? '';
  const digest = btoa(String.fromCharCode(...Uint8Array.fromHex(sha256)));
  return {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': `attachment; filename="${fileName(run.variant, run.date)}"`,
    ETag: `"${sha256}"`,
    'Last-Modified': new Date(run.finishedAtMs ?? run.startedAtMs).toUTCString(),
    'Repr-Digest': `sha-256=:${digest}:`,
    'Accept-Ranges': 'bytes',
    Vary: 'Accept-Encoding',
    // Shared caches must not store the file, and proxies must not change its bytes: the digest names them.
    'Cache-Control': 'private, no-cache, no-transform',
  };
}

const NO_FILE = failure('export_not_found', 'There is no complete file of this kind and day.');

const UNAUTHORIZED: Failure = {
  code: 'unauthorized',
  detail: 'Send the user name and password of an export user.',
  authenticate: 'Basic realm="exports", charset="UTF-8"',
};

function addToOpenApi(api: Api): void {
  const flag = z.string().optional().describe('1 chooses this file.');
  // A request names one file, so one of them has an example.
  const flags = {
    propertySystem: flag.openapi({ example: '1' }),
    applicationConsole: flag,
    ledger: flag,
  };
  const file = { content: { 'application/x-ndjson': { schema: z.string() } } };
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/export',
    summary: 'Download a daily export as newline-delimited JSON. Exactly one flag is 1',
    tags: ['exports'],
    security: [{ basic: [] }],
    request: {
      query: z.object({
        ...flags,
        date: z
          .string()
          .optional()
          .describe('A UTC day as YYYY-MM-DD. If omitted, the newest file.'),
      }),
      headers: z.object({
        Range: z.string().optional().describe('The part to send, as one range of bytes.'),
        'If-None-Match': z.string().optional().describe('The `ETag` that the client holds.'),
        'If-Range': z.string().optional().describe('The `ETag` that the part is to be of.'),
        'Accept-Encoding': z
          .string()
          .optional()
          .describe('With gzip, the whole file comes compressed.'),
      }),
    },
    responses: {
      200: { description: 'The file', ...file },
      206: { description: 'The part of the file that Range names', ...file },
      304: { description: 'The file is still the one that If-None-Match names' },
      ...responsesFor([
        'invalid_request',
        'unauthorized',
        'export_not_found',
        'range_not_satisfiable',
        'rate_limited',
      ]),
    },
  });
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/export/schema',
    summary: 'Get the BigQuery schema of an export',
    tags: ['exports'],
    security: [],
    request: { query: z.object(flags) },
    responses: {
      200: jsonAnswer(schemaAnswer, 'Columns as `bq load --schema` takes them'),
      ...responsesFor(['invalid_request']),
    },
  });
}
