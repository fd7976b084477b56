import { z } from '@hono/zod-openapi';
import type { FailureCode } from '../../core/failure.ts';
import type { Api } from '../../http/operation.ts';
import { problemSchema } from '../../http/problem.ts';
import { jsonAnswer, jsonBody, problemResponses } from '../../http/responses.ts';
import { type MessageEndpoint, messageEndpoints, scopesOf } from './endpoints.ts';
import { receive } from './receive.ts';
import { errorReplyMembers, replyHead } from './schemas.ts';

/** The endpoints for messages from PMSs (pms: Messages from the PMS). */
export function registerPmsMessages(api: Api): void {
  for (const endpoint of messageEndpoints) {
    addToOpenApi(api, endpoint);
    api.post(endpoint.path, (c) => receive(c, endpoint));
  }
}

function addToOpenApi(api: Api, endpoint: MessageEndpoint): void {
  const schemas = [...endpoint.handlers.values()].map(({ openApi }) => openApi);
  // Several messages have the same answer.
  const answers = [
    ...new Map(schemas.map(({ answer }) => [Object.keys(answer).join(), answer])).values(),
  ];
  const scopes = scopesOf(endpoint);
  const [scope = ''] = scopes;
  const problems: FailureCode[] = scopes.includes('applications')
    ? ['application_not_found', 'invalid_state']
    : [];
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: endpoint.path,
    summary: endpoint.summary,
    description:
      `${[...endpoint.handlers.keys()].join(', ')}. Instead of an access token, the body may hold ` +
      "the credentials of the property's PMS in `Authentication`.",
    tags: ['messages'],
    security: [{ oauth2: [scope] }],
    request: {
      body: jsonBody(oneOf(schemas.map(({ message }) => message))),
    },
    responses: {
      200: jsonAnswer(oneOf(answers.map((own) => z.object({ ...replyHead.shape, ...own })))),
      ...problemResponses(problems, problemReply),
    },
  });
}

const problemReply = problemSchema.extend(errorReplyMembers.shape).openapi('MessageProblem');

function oneOf(schemas: readonly z.ZodObject[]): z.ZodType {
  const [first, ...others] = schemas;
  return first && others.length === 0 ? first : z.union(schemas);
}
