import { z } from '@hono/zod-openapi';
import type { Api } from '../http/operation.ts';
import { problemSchema } from '../http/problem.ts';
import { problemResponses } from '../http/responses.ts';
import { type Mount, mounts, scopesOf } from './mounts.ts';
import { receive } from './receive.ts';
import { messageId, timeStamp } from './schemas.ts';

/** The messages that a PMS sends (interface: 2.7; decisions: section 8). */
export function registerEnvelope(api: Api): void {
  for (const mount of mounts) {
    document(api, mount);
    api.post(mount.path, (c) => receive(c, mount));
  }
}

function document(api: Api, mount: Mount): void {
  const documented = [...mount.handlers.values()].map((handler) => handler.documented);
  const [scope = ''] = scopesOf(mount);
  api.openAPIRegistry.registerPath({
    method: 'post',
    path: mount.path,
    summary: mount.summary,
    description: `${[...mount.handlers.keys()].join(', ')}. Instead of an access token, the body may hold the property's own credentials in \`Authentication\`.`,
    tags: ['messages'],
    security: [{ bearer: [scope] }],
    request: {
      body: {
        required: true,
        content: {
          'application/json': { schema: oneOf(documented.map(({ message }) => message)) },
        },
      },
    },
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': { schema: oneOf(documented.map(({ answer }) => reply(answer))) },
        },
      },
      ...problemResponses([], problemReply),
    },
  });
}

function reply(answer: z.ZodRawShape): z.ZodObject {
  return z.object({
    success: z.literal(true),
    MessageID: messageId,
    TimeStamp: timeStamp,
    Status: z.literal('Success'),
    ...answer,
  });
}

/** A problem with the envelope's members. */
const problemReply = problemSchema
  .extend({
    MessageID: messageId.optional(),
    TimeStamp: timeStamp,
    Status: z.literal('Error'),
    ErrorMessage: z.string(),
  })
  .openapi('MessageProblem');

function oneOf(schemas: readonly z.ZodObject[]): z.ZodType {
  const [first, ...others] = schemas;
  return first && others.length === 0 ? first : z.union(schemas);
}
