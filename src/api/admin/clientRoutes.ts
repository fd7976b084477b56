import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { code, identifier, name } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import type { Answered } from '../../operation/idempotency.ts';
import { refusal } from '../../operation/reply.ts';
import { type SecretWork, saveSecret } from '../../operation/secretAnswers.ts';
import { appendChange } from '../../records/audit/changes.ts';
import { listClients, putClient, revoke } from '../../records/clients/actions.ts';
import { propertyScopes, type Scope } from '../../records/clients/rules/scopes.ts';
import { digestSecret, newSecret } from '../../records/clients/secrets.ts';
import { insertClient } from '../../records/clients/store.ts';
import { clientSchema } from '../../records/clients/views.ts';
import { readProperty } from '../../records/properties/read.ts';
import { changedBy, secretWork } from '../calls.ts';

/** More than there are. A list without a bound would be answered with a line for each of its entries. */
const MOST_SCOPES = 50;

const scopes = z
  .array(z.enum(propertyScopes as [Scope, ...Scope[]]))
  .min(1)
  .max(MOST_SCOPES);

const clientName = name(100).openapi({ example: 'Booking engine' });

/** The administrator's operations on API clients (interface: Administration). */
export function registerClients(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/client/create',
    summary:
      'Create an API client of a property. Shows its secret once, or again under the same idempotency key',
    body: z.object({
      property: identifier,
      scopes: scopes.describe('what it may do: see Scopes'),
      name: clientName.optional().describe('for people'),
    }),
    answer: {
      clientId: z.string().describe('for access tokens'),
      clientSecret: z.string().describe('in this answer only'),
    },
    problems: ['property_not_found', 'idempotency_key_reused'],
    idempotent: 'create-client',
    handle: (request) => createClient(secretWork(request), request.body),
  });

  adminOperation(api, {
    path: '/admin/v1/client/put',
    summary: "Change a client's scopes or name",
    body: z.object({
      clientId: code(100),
      scopes: scopes.optional().describe('as they were when left out'),
      name: clientName.nullish().describe('`null` takes it away'),
    }),
    answer: { client: clientSchema },
    problems: ['client_not_found', 'invalid_state'],
    handle: async ({ c, body }) => {
      const put = await putClient(c.get('database'), body, changedBy(c));
      return andThen(put, (client) => ok({ client }));
    },
  });

  adminList(api, {
    path: '/admin/v1/client/list',
    summary: 'List API clients, newest first',
    list: 'clients',
    filter: { property: identifier.optional().describe('only its clients') },
    member: 'clients',
    entries: z.array(clientSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listClients(c.get('database'), body, part),
  });

  adminOperation(api, {
    path: '/admin/v1/client/revoke',
    summary: 'Revoke an API client',
    body: z.object({ clientId: code(100) }),
    answer: {},
    problems: ['client_not_found'],
    handle: ({ c, body }) => revoke(c.get('database'), body.clientId, changedBy(c)),
  });
}

interface NewClient {
  readonly property: string;
  readonly scopes: readonly Scope[];
  readonly name?: string | null | undefined;
}

/** Creates a client of a property. The answer holds its secret; {@link saveSecret} says who can get it again. */
async function createClient(
  work: SecretWork,
  { name = null, property: propertyId, scopes }: NewClient,
): Promise<Answered<{ clientId: string; clientSecret: string }>> {
  const { database, nowMs } = work;
  const property = await readProperty(database, propertyId);
  if (!property.ok) return refusal(work, property.error);
  const clientId = crypto.randomUUID();
  const clientSecret = newSecret();
  const row = {
    id: clientId,
    name,
    propertyId,
    scopes: [...new Set(scopes)],
    secretDigest: await digestSecret(clientSecret),
    seeded: false,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
  };
  const inDirectory = { ...work, database: database.directory };
  return saveSecret(inDirectory, {
    span: 'd1.client.save',
    save: [
      insertClient(row),
      ...appendChange(work, {
        places: [propertyId],
        subject: `client ${clientId}`,
        before: null,
        after: { name, scopes: row.scopes },
      }),
    ],
    answer: { clientId, clientSecret },
  });
}
