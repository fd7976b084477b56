import { z } from '@hono/zod-openapi';
import fresh from 'fresh';
import { auth as basicCredentials } from 'hono/utils/basic-auth';
import { type Failure, type FieldFault, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { parseIsoDate } from '../core/time.ts';
import type { ExportRunRow } from '../db/exportTables.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse, problemSchema } from '../http/problem.ts';
import { withinRate } from '../http/rate.ts';
import { describeProblems } from '../http/responses.ts';
import { visitorOf } from '../http/visitor.ts';
import { findFile } from './actions.ts';
import { bigQuerySchema } from './bigQuery.ts';
import { rangeStands, selectRange } from './ranges.ts';
import { fileName, type Variant, variants } from './variants.ts';

/** What a request asks for. */
interface Wanted {
  readonly variant: Variant;
  /** The UTC day; null for the newest file. */
  readonly date: string | null;
}

/** `GET /export` and `GET /export/schema`, for analysts (interface: 4.8; decisions: section 10). */
export function registerExportFiles(api: Api): void {
  document(api);
  api.get('/export', (c) => serveFile(c));
  api.get('/export/schema', (c) => {
    const wanted = readWanted(c);
    if (!wanted.ok) return refuse(c, wanted.error);
    return c.json(bigQuerySchema(wanted.value.variant), 200, {
      'Cache-Control': 'public, max-age=300',
    });
  });
}

async function serveFile(c: AppContext): Promise<Response> {
  const limited = await withinRate(c, `export:${visitorOf(c)}`);
  if (limited) return limited;
  const user = basicCredentials(c.req.raw);
  if (!user) return unauthorized(c);
  const wanted = readWanted(c);
  const found = await findFile(
    c.get('database'),
    user,
    wanted.ok ? wanted.value : null,
    c.get('config').local,
  );
  if (!found.ok) return unauthorized(c);
  if (!wanted.ok) return refuse(c, wanted.error);
  return found.value === null ? refuse(c, noFile()) : answer(c, found.value);
}

/** Which file a query asks for: exactly one flag is 1. */
function readWanted(c: AppContext): Result<Wanted, Failure> {
  const flagged = variants.filter((variant) => c.req.query(variant) === '1');
  const date = c.req.query('date') ?? null;
  const faults: FieldFault[] = [];
  if (flagged.length !== 1) {
    const message = 'Exactly one of propertySystem and applicationConsole must be 1.';
    faults.push(...variants.map((field) => ({ field, code: 'invalid_value', message })));
  }
  if (date !== null && parseIsoDate(date) === null) {
    const message = 'A day that exists, as YYYY-MM-DD.';
    faults.push({ field: 'date', code: 'invalid_date', message });
  }
  const [variant] = flagged;
  return variant === undefined || faults.length > 0
    ? err({ code: 'invalid_request', detail: 'The query is not understood.', fields: faults })
    : ok({ variant, date });
}

/** Answers with a run's file: the whole of it, a part, or only that it is still the same. */
async function answer(c: AppContext, run: ExportRunRow): Promise<Response> {
  const { bytes: size } = run;
  const headers = fileHeaders(run);
  // What a request asks of caches on its way is no business of the file's own server.
  const { 'cache-control': _, ...asked } = Object.fromEntries(c.req.raw.headers);
  if (fresh(asked, { etag: headers.ETag, 'last-modified': headers['Last-Modified'] })) {
    return c.body(null, 304, headers);
  }
  // Only GET knows of parts, and only of those of the file as `If-Range` has it.
  const partial = c.req.method === 'GET' && rangeStands(asked['if-range'], headers.ETag);
  const selection = selectRange(partial ? asked['range'] : undefined, size);
  switch (selection.kind) {
    case 'unsatisfiable':
      return refuse(c, failure('range_not_satisfiable', `The file has ${size} bytes.`), {
        'Content-Range': `bytes */${size}`,
      });
    case 'whole':
      return send(c, run, null, { ...headers, 'Content-Length': String(size) });
    case 'part': {
      const { offset, length } = selection;
      return send(c, run, selection, {
        ...headers,
        'Content-Length': String(length),
        'Content-Range': `bytes ${offset}-${offset + length - 1}/${size}`,
      });
    }
  }
}

/** Streams from R2; what only asks for the headers costs no reading. */
async function send(
  c: AppContext,
  run: ExportRunRow,
  range: { readonly offset: number; readonly length: number } | null,
  headers: Record<string, string>,
): Promise<Response> {
  const status = range === null ? 200 : 206;
  if (c.req.method === 'HEAD') return c.body(null, status, headers);
  const object = await c
    .get('crossings')
    .cross('r2.read', () => c.env.EXPORTS.get(run.objectKey, range === null ? {} : { range }));
  // Removed in this very moment, after its keeping time.
  if (object === null) return refuse(c, noFile());
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
    // Nobody on the way may keep it, or send it in other bytes than those of its digest.
    'Cache-Control': 'private, no-cache, no-transform',
  };
}

function noFile(): Failure {
  return failure('export_not_found', 'There is no complete file of that kind and day.');
}

function unauthorized(c: AppContext): Response {
  return refuse(c, failure('unauthorized', 'A valid export user and password are needed.'), {
    'WWW-Authenticate': 'Basic realm="exports", charset="UTF-8"',
  });
}

function refuse(c: AppContext, refused: Failure, headers: Record<string, string> = {}): Response {
  return problemResponse(c, refused, { requestId: c.get('requestId'), headers });
}

function document(api: Api): void {
  const flags = {
    propertySystem: z.literal('1').optional(),
    applicationConsole: z.literal('1').optional(),
  };
  const file = {
    content: { 'application/x-ndjson': { schema: z.string() } },
  };
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/export',
    summary: 'The daily export: newline-delimited JSON. Exactly one flag is 1',
    tags: ['exports'],
    security: [{ basic: [] }],
    request: {
      query: z.object({
        ...flags,
        date: z.string().optional().describe('YYYY-MM-DD, a UTC day; when left out, the newest.'),
      }),
      headers: z.object({
        Range: z.string().optional(),
        'If-None-Match': z.string().optional(),
        'If-Range': z.string().optional(),
      }),
    },
    responses: {
      200: { description: 'The file', ...file },
      206: { description: 'The part that Range names', ...file },
      304: { description: 'The file is still the one that If-None-Match names' },
      ...describeProblems(
        [
          'invalid_request',
          'unauthorized',
          'export_not_found',
          'range_not_satisfiable',
          'rate_limited',
        ],
        problemSchema,
      ),
    },
  });
  api.openAPIRegistry.registerPath({
    method: 'get',
    path: '/export/schema',
    summary: 'The BigQuery schema of an export',
    tags: ['exports'],
    security: [],
    request: { query: z.object(flags) },
    responses: {
      200: {
        description: 'Columns as `bq load --schema` takes them',
        content: {
          'application/json': {
            schema: z.array(
              z.looseObject({ name: z.string(), type: z.string(), mode: z.string() }),
            ),
          },
        },
      },
      ...describeProblems(['invalid_request'], problemSchema),
    },
  });
}
