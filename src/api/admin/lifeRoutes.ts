import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { andThen, ok } from '../../core/result.ts';
import { selectGateway } from '../../gateways/select.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import type { AppContext } from '../../http/context.ts';
import { email, flag, identifier, reference } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { named } from '../../platform/views.ts';
import { appendChange } from '../../records/audit/changes.ts';
import { readProperty } from '../../records/properties/read.ts';
import { type EraseSubject, erase } from '../../retention/erase.ts';
import { archiveAll } from '../../retention/retain.ts';
import { exportSubject } from '../../retention/subjectExport.ts';
import { archiveWork, changedBy, operatorOf } from '../calls.ts';

const erasureSchema = named('Erasure', {
  erasureId: z
    .string()
    .nullable()
    .describe('the same for the same guest; null for a dry run of who was never erased'),
  bookings: z.int().describe('how many bookings the guest has'),
  erased: z
    .array(
      z.object({
        what: z.string().describe('the kind of record'),
        count: z.int().describe('how many told of the guest'),
      }),
    )
    .readonly()
    .describe('what told of the guest until now'),
  kept: z
    .array(
      z.object({
        what: z.string().describe('what stays'),
        why: z.string().describe('what it is needed for'),
        until: z.string().nullable().describe('until when; null without an end'),
      }),
    )
    .readonly()
    .describe('what stays, without the guest'),
});

/** Whom an operation is about: the guest of one booking, or whoever has an address. */
const guestBody = {
  property: identifier,
  reference: reference.optional().describe("this booking's guest"),
  email: email.optional().describe('whoever has this address, in any case; instead of `reference`'),
};

const NOT_ONE = fieldIssue('reference', 'required', 'Send either reference or email.');

const namesOne = bodyCheck(({ email: address, reference: ofBooking }) =>
  (address === undefined) === (ofBooking === undefined) ? [NOT_ONE] : [],
);

type Named = Pick<z.infer<z.ZodObject<typeof guestBody>>, 'email' | 'reference'>;

function subjectOf({ email: address, reference: ofBooking }: Named): EraseSubject {
  return address === undefined ? { reference: ofBooking ?? '' } : { email: address };
}

/** The administrator's operations on the data of guests (interface: Erase a guest). */
export function registerPrivacy(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/privacy/erase',
    summary: "Erase a guest's data, everywhere; money, dates and ids stay",
    body: z
      .object({
        ...guestBody,
        dryRun: flag('says what would be erased, and erases nothing'),
      })
      .check(namesOne),
    answer: { erasure: erasureSchema },
    problems: ['property_not_found', 'booking_not_found', 'invalid_state', 'gateway_error'],
    handle: async ({ c, body: { dryRun, property, ...guest } }) => {
      const erased = await erase(eraseWork(c), property, subjectOf(guest), dryRun === true);
      return andThen(erased, (erasure) => ok({ erasure }));
    },
  });
}

const personSchema = named('PersonalData', {
  property: z.string().describe('its identifier'),
  exportedAt: z.string().describe('in UTC'),
  records: z
    .record(z.string(), z.array(z.record(z.string(), z.unknown())).readonly())
    .describe('by kind; amounts in minor units, times in milliseconds since 1970'),
});

/** `POST /admin/v1/privacy/export`: all that the service holds of a guest (interface: Export a guest's data). */
export function registerPersonalData(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/privacy/export',
    summary: 'Show all that the service holds of a guest',
    body: z.object(guestBody).check(namesOne),
    answer: { person: personSchema },
    problems: ['property_not_found', 'booking_not_found'],
    handle: async ({ c, body: { property, ...guest } }) => {
      const exported = await exportSubject(archiveWork(c), property, subjectOf(guest));
      return andThen(exported, (person) => ok({ person }));
    },
  });
}

/** `POST /admin/v1/archive/run`: archives what is over (interface: Archive now). */
export function registerArchive(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/archive/run',
    summary: 'Archive every booking with nothing open whose departure is past',
    body: z.object({ property: identifier }),
    answer: { archived: z.int().describe('how many bookings') },
    problems: ['property_not_found'],
    handle: async ({ c, body }) => {
      const property = await readProperty(c.get('database'), body.property);
      if (!property.ok) return property;
      const archived = await archiveAll(eraseWork(c), property.value);
      const places = [body.property];
      const change = { places, subject: 'archive', before: null, after: { archived } };
      const [first, ...rest] = appendChange(changedBy(c), change);
      if (first) await c.var.database.of(body.property).batch('d1.archive.save', [first, ...rest]);
      return ok({ archived });
    },
  });
}

function eraseWork(c: AppContext) {
  const { clientId: actor, requestId } = operatorOf(c);
  const { config, database, trace } = c.var;
  return { env: c.env, database, trace, gateway: selectGateway(config, c.env), requestId, actor };
}
