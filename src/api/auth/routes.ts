import { z } from '@hono/zod-openapi';
import type { Failure } from '../../core/failure.ts';
import { readBody } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';
import { namesForm } from '../../http/json.ts';
import type { Api } from '../../http/operation.ts';
import { problemResponse } from '../../http/problem.ts';
import { clientNetwork, enforceRate } from '../../http/rate.ts';
import { jsonAnswer, responsesFor } from '../../http/responses.ts';
import { named } from '../../platform/views.ts';
import { issueToken } from '../../records/clients/actions.ts';
import {
  readTokenRequest,
  type TokenError,
  tokenErrors,
} from '../../records/clients/tokenRequest.ts';

const PATH = '/auth/v1/token';

/** Token requests are far smaller. */
const BODY_LIMIT_BYTES = 8 * 1024;

const UNREADABLE: TokenError = {
  error: 'invalid_request',
  description: 'Send each parameter once, in a form or in a JSON object of strings.',
};

/** `POST /auth/v1/token`, "Get Access Token" (interface: Get an access token). */
export function registerTokenEndpoint(api: Api): void {
  addToOpenApi(api);
  api.post(PATH, async (c) => {
    const limited = await enforceRate(c, `token:${clientNetwork(c)}`);
    if (limited) return limited;
    const authorization = c.req.header('Authorization');
    const body = await readBody(c, BODY_LIMIT_BYTES);
    if (!body.ok) return unread(c, body.error);
    const { text } = body.value;
    const parameters = text === null ? null : parametersOf(c, text);
    if (parameters === null) return oauthError(c, UNREADABLE);
    const request = readTokenRequest(authorization, parameters);
    if (!request.ok) return oauthError(c, request.error);
    const issued = await issueToken(c.get('database'), c.get('config'), request.value, Date.now());
    if (!issued.ok) return oauthError(c, issued.error);
    const answer: z.infer<typeof tokenAnswer> = { success: true, ...issued.value };
    return c.json(answer, 200, NOT_STORED);
  });
}

/** The token response of RFC 6749, section 5.1, plus `success`. */
const tokenAnswer = z.object({
  success: z.literal(true),
  access_token: z.string().describe('for `Authorization: Bearer`'),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('seconds'),
  scope: z.string().describe('the scopes that it has, separated by spaces'),
});

/** The error response of RFC 6749, section 5.2, plus `success`. */
const tokenErrorAnswer = named('TokenRefusal', {
  success: z.literal(false),
  error: z.enum(tokenErrors),
  error_description: z.string(),
});

type TokenErrorAnswer = z.infer<typeof tokenErrorAnswer>;

const NOT_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

function oauthError(c: AppContext, { error, description }: TokenError): Response {
  // RFC 6749, section 5.2, sets these statuses; `core/failure.ts` sets all others.
  const status = error === 'invalid_client' ? 401 : 400;
  const usedBasic = /^basic/i.test(c.req.header('Authorization') ?? '');
  const answer: TokenErrorAnswer = { success: false, error, error_description: description };
  return c.json(answer, status, {
    ...NOT_STORED,
    ...(status === 401 && usedBasic && { 'WWW-Authenticate': 'Basic realm="clients"' }),
  });
}

/** A body that is too large is a problem with the members of an OAuth error: clients of both kinds can read it. */
function unread(c: AppContext, failure: Failure): Response {
  const { error } = UNREADABLE;
  if (failure.code !== 'body_too_large') {
    return oauthError(c, { error, description: failure.detail });
  }
  const members: TokenErrorAnswer = { success: false, error, error_description: failure.detail };
  return problemResponse(c, failure, { members });
}

/**
 * The parameters of a form or a JSON object; null for any other body, and for a repeated parameter. A body that looks
 * like an object is JSON whatever its content type, unless that names a form.
 */
function parametersOf(c: AppContext, text: string): Map<string, string> | null {
  const hasJsonType = /^application\/json\b/i.test(c.req.header('Content-Type') ?? '');
  const isJson = !namesForm(c) && (hasJsonType || /^\s*\{/.test(text));
  const entries = isJson ? jsonEntries(text) : [...new URLSearchParams(text)];
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

function addToOpenApi(api: Api): void {
  const request = z.object({
    grant_type: z.literal('client_credentials'),
    client_id: z.string().optional().describe('required without HTTP Basic'),
    client_secret: z.string().optional().describe('required without HTTP Basic'),
    scope: z.string().optional().describe("separated by spaces; all of the client's when left out"),
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
      200: jsonAnswer(tokenAnswer, 'A token that is valid for an hour'),
      // RFC 6749, section 5.2, sets these statuses.
      400: jsonAnswer(tokenErrorAnswer, 'The request is invalid'),
      401: jsonAnswer(tokenErrorAnswer, 'The client is unknown or its secret is wrong'),
      ...responsesFor(['body_too_large', 'rate_limited']),
    },
  });
}
