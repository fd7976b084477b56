import { z } from '@hono/zod-openapi';
import { ok } from '../../core/result.ts';
import { identifier } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { shownPage } from '../../platform/db/page.ts';
import { pmsDispatchers } from '../../pms/outbox/stub.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import { homeOf, placeProperty } from '../../records/homes/homes.ts';
import { putProperty } from '../../records/properties/actions.ts';
import { type Housed, listProperties, readProperty } from '../../records/properties/read.ts';
import { propertyView } from '../../records/properties/views.ts';
import { changedBy } from '../calls.ts';
import { propertyBody, propertySchema } from './schemas.ts';

const home = z.string().describe('where the property lives: see Databases');

/** The administrator's operations on properties (interface: Administration). */
export function registerProperties(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/property/put',
    summary: 'Create or change a property',
    body: propertyBody,
    answer: {
      property: propertySchema,
      database: home,
      affectedSchedules: z
        .int()
        .optional()
        .describe('where the account changed: schedules that wait for another card'),
    },
    problems: ['invalid_state', 'surcharge_not_allowed'],
    handle: async ({ c, body }) => {
      const { keyring } = c.get('config');
      const { database: wanted, ...details } = body;
      const placed = await placeProperty(c.get('database'), c.env, body.property, wanted);
      if (!placed.ok) return placed;
      const database = placed.value;
      const put = await putProperty(c.get('database'), keyring, details, changedBy(c));
      if (!put.ok) return put;
      const { affectedSchedules, row } = put.value;
      const { id, pmsUrl } = row;
      forgetClientsOf(id);
      // The PMS may have a new URL: waiting messages go there now.
      if (pmsUrl !== null && body.pms) {
        c.executionCtx.waitUntil(pmsDispatchers.notify(c.env, c.get('trace'), pmsUrl, 'up'));
      }
      return ok({
        property: housedView({ property: row, home: database }),
        database,
        ...(affectedSchedules !== null && { affectedSchedules }),
      });
    },
  });

  adminOperation(api, {
    path: '/admin/v1/property/get',
    summary: 'Get a property',
    body: z.object({ property: identifier }),
    answer: { property: propertySchema, database: home },
    problems: ['property_not_found'],
    handle: async ({ c, body }) => {
      const read = await readProperty(c.get('database'), body.property);
      if (!read.ok) return read;
      const database = await homeOf(c.get('database'), body.property);
      return ok({ property: housedView({ property: read.value, home: database }), database });
    },
  });

  adminList(api, {
    path: '/admin/v1/property/list',
    summary: 'List the properties, newest first',
    list: 'properties',
    filter: { portfolio: identifier.optional().describe('only its properties') },
    member: 'properties',
    entries: z.array(propertySchema),
    read: async ({ c, body }, part) =>
      shownPage(await listProperties(c.get('database'), body, part), housedView),
  });
}

function housedView({ home, property }: Housed) {
  return { ...propertyView(property), database: home };
}
