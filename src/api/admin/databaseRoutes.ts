import { z } from '@hono/zod-openapi';
import { andThen, ok } from '../../core/result.ts';
import { code, identifier } from '../../http/fields.ts';
import { adminList, pageOfWhole } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { beginMove, readMove, wakeMover } from '../../moves/actions.ts';
import { moveSchema, moveView } from '../../moves/views.ts';
import { databaseSchema, listDatabases } from '../../records/homes/homes.ts';
import { changedBy } from '../calls.ts';

/** The administrator's operations on databases (interface: Databases). */
export function registerDatabases(api: Api): void {
  adminList(api, {
    path: '/admin/v1/database/list',
    summary: 'List the databases of the deployment',
    list: 'databases',
    filter: {},
    member: 'databases',
    entries: z.array(databaseSchema),
    read: async ({ c }, part) => pageOfWhole(await listDatabases(c.get('database'), c.env), part),
  });

  adminOperation(api, {
    path: '/admin/v1/property/move',
    summary: 'Move a property to another database, with all that it has',
    body: z.object({
      property: identifier,
      to: code(64).openapi({ example: 'DB2' }).describe('the name of a database of the list'),
    }),
    answer: { move: moveSchema },
    problems: ['property_not_found', 'invalid_state'],
    handle: async ({ c, body }) => {
      const begun = await beginMove(c.get('database'), body, changedBy(c));
      if (begun.ok) await wakeMover(c.env);
      return andThen(begun, (row) => ok({ move: moveView(row) }));
    },
  });

  adminOperation(api, {
    path: '/admin/v1/property/move-status',
    summary: 'Say how far a move is',
    body: z.object({ moveId: code(64).describe('of the move') }),
    answer: { move: moveSchema },
    problems: ['move_not_found'],
    handle: async ({ c, body }) =>
      andThen(await readMove(c.get('database'), body.moveId), (row) => ok({ move: moveView(row) })),
  });
}
