import { z } from '@hono/zod-openapi';
import { andThen, ok, type Result } from '../../core/result.ts';
import { code, instant } from '../../http/fields.ts';
import { listedDay } from '../../http/listFields.ts';
import { propertyList } from '../../http/listOperation.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { shownPage } from '../../platform/db/page.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import {
  createApplication,
  getApplication,
  moveApplication,
  updateDetails,
} from '../../records/applications/actions.ts';
import { applicationStatuses } from '../../records/applications/states.ts';
import { listApplications } from '../../records/applications/store.ts';
import { applicationSchema, applicationView } from '../../records/applications/views.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { notifyEndpoints } from '../calls.ts';
import { createBody, moveBody, numberBody, updateBody } from './schemas.ts';

const answer = z.object({ application: applicationSchema });

const common = { scope: 'applications', answer: answer.shape } as const;

/** The application operations (interface: Applications). */
export function registerApplications(api: Api): void {
  propertyOperation(api, {
    ...common,
    path: '/application/v1/create',
    summary: 'Create an application',
    body: ({ exponent }) => createBody(exponent),
    problems: ['booking_not_found'],
    handle: async ({ c, body, property }) => {
      const now = propertyNow(property);
      const created = await createApplication(c.get('database'), property, body, now);
      // One for a booking with a deposit moves at once.
      if (body.reference !== undefined) notifyEndpoints(c, property.id);
      return andThen(created, shown);
    },
  });

  propertyOperation(api, {
    ...common,
    path: '/application/v1/update',
    summary: 'Change the details of an application',
    body: ({ exponent }) => updateBody(exponent),
    problems: ['application_not_found', 'booking_not_found'],
    handle: async ({ c, body, property }) => {
      const { applicationNumber, ...details } = body;
      const database = c.get('database');
      const now = propertyNow(property);
      const updated = await updateDetails(database, property, applicationNumber, details, now);
      // A link to a booking with a deposit moves it.
      notifyEndpoints(c, property.id);
      return andThen(updated, shown);
    },
  });

  propertyOperation(api, {
    ...common,
    path: '/application/v1/get-details',
    summary: 'Get an application',
    body: numberBody,
    problems: ['application_not_found'],
    handle: async ({ c, body, property }) =>
      andThen(await getApplication(c.get('database'), property, body.applicationNumber), shown),
  });

  propertyOperation(api, {
    ...common,
    path: '/application/v1/update-status',
    summary: 'Move an application to another state',
    body: moveBody,
    problems: ['application_not_found', 'invalid_state'],
    handle: async ({ c, body, property }) => {
      const { status, time = null, applicationNumber } = body;
      const database = c.get('database');
      const now = propertyNow(property);
      const key = { applicationNumber };
      const moved = await moveApplication(database, property, key, status, time, now);
      notifyEndpoints(c, property.id);
      return andThen(moved, shown);
    },
  });

  propertyList(api, {
    path: '/application/v1/list',
    summary: "List the property's applications, newest first",
    scope: 'applications',
    list: 'applications',
    filter: {
      status: z.enum(applicationStatuses).optional(),
      arrivalFrom: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
      arrivalTo: listedDay.optional().describe('`DD-MM-YYYY` or `YYYY-MM-DD`, inclusive'),
      changedSince: instant.optional().describe('made or changed at this time or later'),
      email: code(254)
        .optional()
        .openapi({ example: 'guest@hotel.com' })
        .describe('the whole address; case does not matter'),
    },
    inOrder: ['arrivalFrom', 'arrivalTo'],
    member: 'applications',
    entries: z.array(applicationSchema),
    read: async ({ c, body, property }, part) => {
      const filter = { ...body, changedSinceMs: body.changedSince };
      const page = await listApplications(c.get('database'), property.id, filter, part);
      return shownPage(page, applicationView);
    },
  });
}

function shown(row: ApplicationRow): Result<z.infer<typeof answer>> {
  return ok({ application: applicationView(row) });
}
