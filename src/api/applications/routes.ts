import type { z } from '@hono/zod-openapi';
import type { Failure } from '../../core/failure.ts';
import { ok, type Result } from '../../core/result.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import {
  createApplication,
  getApplication,
  moveApplication,
  updateDetails,
} from '../../records/applications/actions.ts';
import { applicationView } from '../../records/applications/views.ts';
import type { ApplicationRow } from '../../schema/applicationTables.ts';
import { tellEndpoints } from '../events/tell.ts';
import { applicationAnswer, createBody, moveBody, numberBody, updateBody } from './schemas.ts';

const common = { scope: 'applications', answer: applicationAnswer } as const;

/** The application operations (interface: Applications). */
export function registerApplications(api: Api): void {
  propertyOperation(
    api,
    {
      ...common,
      path: '/application/v1/create',
      summary: 'Create an application',
      body: ({ exponent }) => createBody(exponent),
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const now = propertyNow(property);
      const created = await createApplication(c.get('database'), property, body, now);
      // One for a booking with a deposit moves at once.
      if (body.reference !== undefined) tellEndpoints(c, property.id);
      return toAnswer(created);
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/application/v1/update',
      summary: 'Change the details of an application',
      body: ({ exponent }) => updateBody(exponent),
      problems: ['application_not_found', 'booking_not_found'],
    },
    async ({ c, body, property }) => {
      const { applicationNumber, ...details } = body;
      const database = c.get('database');
      const now = propertyNow(property);
      const updated = await updateDetails(database, property, applicationNumber, details, now);
      // A link to a booking with a deposit moves it.
      tellEndpoints(c, property.id);
      return toAnswer(updated);
    },
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/application/v1/get-details',
      summary: 'Get an application',
      body: () => numberBody,
      problems: ['application_not_found'],
    },
    async ({ c, body, property }) =>
      toAnswer(await getApplication(c.get('database'), property, body.applicationNumber)),
  );

  propertyOperation(
    api,
    {
      ...common,
      path: '/application/v1/update-status',
      summary: 'Move an application to another state',
      body: () => moveBody,
      problems: ['application_not_found', 'invalid_state'],
    },
    async ({ c, body, property }) => {
      const { status, time = null, applicationNumber } = body;
      const database = c.get('database');
      const now = propertyNow(property);
      const key = { applicationNumber };
      const moved = await moveApplication(database, property, key, status, time, now);
      tellEndpoints(c, property.id);
      return toAnswer(moved);
    },
  );
}

function toAnswer(
  read: Result<ApplicationRow, Failure>,
): Result<z.infer<typeof applicationAnswer>, Failure> {
  return read.ok ? ok({ success: true, application: applicationView(read.value) }) : read;
}
