import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { changedBy } from '../../http/changedBy.ts';
import { code } from '../../http/fields.ts';
import { cursorAfter, EVERY_PROPERTY, partOf } from '../../http/listFields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { secretWork } from '../../http/secretWork.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import { listClients, putClient, revoke } from '../../records/clients/actions.ts';
import {
  clientAnswer,
  clientBody,
  clientPutBody,
  clientsAnswer,
  clientsBody,
  newClientAnswer,
} from './clientSchemas.ts';
import { createClient } from './createClient.ts';

/** The administrator's operations on API clients (interface: Administration). */
export function registerClients(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/client/create',
      summary:
        'Create an API client of a property. Shows its secret once, or again under the same idempotency key',
      body: () => clientBody,
      answer: newClientAnswer,
      problems: ['property_not_found', 'idempotency_key_reused'],
      idempotent: 'create-client',
    },
    async (request) => withSuccess(await createClient(secretWork(request), request.body)),
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/put',
      summary: "Change a client's scopes or name",
      body: () => clientPutBody,
      answer: clientAnswer,
      problems: ['client_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const put = await putClient(c.get('database'), body, changedBy(c));
      return put.ok ? ok({ success: true, client: put.value }) : put;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/list',
      summary: 'List API clients, newest first',
      body: () => clientsBody,
      answer: clientsAnswer,
    },
    async ({ c, body }) => {
      const part = partOf('clients', EVERY_PROPERTY, body);
      if (!part.ok) return part;
      const page = await listClients(c.get('database'), body, part.value);
      const nextCursor = cursorAfter('clients', EVERY_PROPERTY, page);
      return ok({ success: true, clients: page.clients, nextCursor });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/revoke',
      summary: 'Revoke an API client',
      body: () => z.object({ clientId: code(100) }),
      answer: z.object({ success: z.literal(true) }),
      problems: ['client_not_found'],
    },
    async ({ c, body }) => {
      const revoked = await revoke(c.get('database'), body.clientId, changedBy(c));
      return revoked.ok ? ok({ success: true }) : revoked;
    },
  );
}
