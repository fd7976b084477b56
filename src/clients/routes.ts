import { z } from '@hono/zod-openapi';
import { readBody } from '../http/body.ts';
import type { AppContext } from '../http/context.ts';
import { bodyTooLarge } from '../http/json.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse, problemSchema } from '../http/problem.ts';
import { withinRate } from '../http/rate.ts';
import { describeProblems } from '../http/responses.ts';
import { visitorOf } from '../http/visitor.ts';
import { issueToken } from './actions.ts';
import { readTokenRequest, type TokenError } from './tokenRequest.ts';

const PATH = '/auth/v1/token';

/** Longer bodies hold no token request. */
const BODY_LIMIT_BYTES = 8 * 1024;

const UNREADABLE: TokenError = {
  error: 'invalid_request',
  description: 'Send the parameters as a short form or as a JSON object of strings.',
};

/** `POST /auth/v1/token`, "Get Access Token" (decisions: section 2). */
export function registerTokenEndpoint(api: Api): void {
  document(api);
  api.post(PATH, async (c) => {
    const limited = await withinRate(c, `token:${visitorOf(c)}`);
    if (limited) return limited;
    const authorization = c.req.header('Authorization');
    const body = await readBody(c, BODY_LIMIT_BYTES);
    if (body.kind === 'too-large') return tooLarge(c);
    const parameters = body.kind === 'text' ? parametersOf(c, body.text) : null;
    if (parameters === null) return refused(c, UNREADABLE);
    const request = readTokenRequest(authorization, parameters);
    if (!request.ok) return refused(c, request.error);
    const issued = await issueToken(c.get('database'), c.get('config'), request.value, Date.now());
    return issued.ok ? c.json(issued.value, 200, NOT_STORED) : refused(c, issued.error);
  });
}

const NOT_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

function refused(c: AppContext, { error, description }: TokenError): Response {
  const status = error === 'invalid_client' ? 401 : 400;
  const byBasic = /^basic/i.test(c.req.header('Authorization') ?? '');
  return c.json({ success: false, error, error_description: description }, status, {
    ...NOT_STORED,
    ...(status === 401 && byBasic && { 'WWW-Authenticate': 'Basic realm="clients"' }),
  });
}

/** A problem as of any other operation, and a refusal as RFC 6749 has it: clients of either kind can read it. */
function tooLarge(c: AppContext): Response {
  const failure = bodyTooLarge(BODY_LIMIT_BYTES);
  const members = { error: UNREADABLE.error, error_description: failure.detail };
  return problemResponse(c, { ...failure, members }, { requestId: c.get('requestId') });
}

/** The parameters of a form or a JSON object; null for anything else, or for a parameter that stands twice. */
function parametersOf(c: AppContext, text: string): Map<string, string> | null {
  const type = c.req.header('Content-Type') ?? '';
  const entries = /^application\/json\b/i.test(type)
    ? jsonEntries(text)
    : [...new URLSearchParams(text)];
  if (entries === null) return null;
  const parameters = new Map(entries);
  return parameters.size === entries.length ? parameters : null;
}

function jsonEntries(text: string): [string, string][] | null {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    if (!parsed.success) return null;
    const known = ['grant_type', 'client_id', 'client_secret', 'scope'];
    const entries = Object.entries(parsed.data).filter(([name]) => known.includes(name));
    return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
      ? entries
      : null;
  } catch {
    return null;
  }
}

function document(api: Api): void {
  const request = z.object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    scope: z.string().optional().describe('Scopes, separated by spaces.'),
  });
  const refusal = z
    .object({
      success: z.literal(false),
      error: z.enum([
        'invalid_request',
        'invalid_client',
        'unsupported_grant_type',
        'invalid_scope',
      ]),
      error_description: z.string(),
    })
    .openapi('TokenRefusal');
  const refusedWith = (description: string) => ({
    description,
    content: { 'application/json': { schema: refusal } },
  });
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: PATH,
    summary: 'Get an access token (OAuth 2.0 client credentials; HTTP Basic works too)',
    tags: ['auth'],
    security: [],
    request: {
      body: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': { schema: request },
          'application/json': { schema: request },
        },
      },
    },
    responses: {
      200: {
        description: 'A token for an hour',
        content: {
          'application/json': {
            schema: z.object({
              success: z.literal(true),
              access_token: z.string(),
              token_type: z.literal('Bearer'),
              expires_in: z.int(),
              scope: z.string(),
            }),
          },
        },
      },
      400: refusedWith('The request is not valid'),
      401: refusedWith('The client is not known or its secret is wrong'),
      ...describeProblems(['body_too_large', 'rate_limited'], problemSchema),
    },
  });
}
