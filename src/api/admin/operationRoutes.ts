import { z } from '@hono/zod-openapi';
import { callBooking } from '../../booking/stub.ts';
import { pick } from '../../core/pick.ts';
import { err, ok } from '../../core/result.ts';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
import type { AppContext } from '../../http/context.ts';
import {
  chargeId,
  code,
  description,
  email,
  gatewayId,
  identifier,
  reference,
} from '../../http/fields.ts';
import { adminList, pageOfWhole } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listMails } from '../../mails/list.ts';
import { mailSchema, mailStatusSchema } from '../../mails/views.ts';
import { findBookingOf } from '../../money/folio/list.ts';
import { TRANSACTION_NOT_FOUND } from '../../money/payments/rules.ts';
import { liftSuppression } from '../../platform/mail/suppression.ts';
import { getRoomsAndRates, type PmsRequestContext, pingPms } from '../../pms/ask.ts';
import { pmsDispatchers } from '../../pms/outbox/stub.ts';
import { listAudit, listChanges } from '../../records/audit/actions.ts';
import { entrySchema } from '../../records/audit/views.ts';
import { keySchema, listKeys } from '../../records/keyring/needs.ts';

/** `POST /admin/v1/operation/resolve`: manually sets an outcome that the gateway can no longer report. */
export function registerOperationResolve(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/operation/resolve',
    summary: 'Manually set the outcome of an operation that the gateway can no longer report',
    body: z.object({
      id: chargeId.describe('of a charge or a refund of any property'),
      outcome: z
        .enum(['Accepted', 'Declined', 'Failed'])
        .describe('`Accepted`: it was carried out'),
      gatewayReference: gatewayId
        .regex(ACQUIRER_ID)
        .optional()
        .describe("the gateway's id of it; required for `Accepted` outside the sandbox"),
      reason: description.min(1).describe('kept in the audit trail'),
    }),
    answer: { id: z.int(), status: z.string().describe('what it is from now on') },
    problems: ['transaction_not_found', 'invalid_state'],
    handle: async ({ c, body }) => {
      const found = await findBookingOf(c.get('database'), body.id);
      if (!found) return err(TRANSACTION_NOT_FOUND);
      const { clientId } = c.get('caller');
      const context = { ...found, requestId: c.get('requestId'), actor: clientId };
      const from = { env: c.env, trace: c.get('trace') };
      return callBooking(from, context, 'resolveManually', body);
    },
  });
}

/** The administrator's operations on mails (interface: List mails). */
export function registerMails(api: Api): void {
  adminList(api, {
    path: '/admin/v1/mail/list',
    summary: "List a property's mails, newest first: what came of them, not what they say",
    list: 'mails',
    ownerOf: ({ property }) => property,
    filter: {
      property: identifier,
      reference: reference.optional().describe("only this booking's"),
      status: mailStatusSchema.optional().describe('only these'),
    },
    member: 'mails',
    entries: z.array(mailSchema),
    problems: ['property_not_found'],
    read: ({ c, body }, part) => listMails(c.get('database'), body.property, body, part),
  });

  adminOperation(api, {
    path: '/admin/v1/mail/lift-suppression',
    summary: 'Let an address that bounced get mail again',
    body: z.object({ email }),
    answer: { lifted: z.boolean().describe('whether the address got no mail before') },
    handle: async ({ c, body }) =>
      ok({ lifted: await liftSuppression(c.get('database'), body.email) }),
  });
}

/** `POST /admin/v1/keyring/list`: what still needs which key of `KEYRING` (interface: List keys). */
export function registerKeyring(api: Api): void {
  adminList(api, {
    path: '/admin/v1/keyring/list',
    summary: 'Say what still needs which key of the service',
    list: 'keys',
    filter: {},
    member: 'keys',
    entries: z.array(keySchema),
    read: async ({ c }, part) => {
      const { config, database } = c.var;
      return pageOfWhole(await listKeys(database, config.keyring, Date.now()), part);
    },
  });
}

/**
 * `POST /admin/v1/audit/list`: every state change of a booking and its payments, oldest first; without `reference`, every
 * change of the property's settings and people.
 */
export function registerAudit(api: Api): void {
  adminList(api, {
    path: '/admin/v1/audit/list',
    summary: 'The audit trail of a booking, or of the settings and people of a property',
    list: 'audit',
    ownerOf: ({ property }) => property,
    filter: {
      property: code(64),
      reference: reference
        .optional()
        .describe("this booking's; without it, settings, people and clients"),
    },
    member: 'entries',
    entries: z.array(entrySchema).describe('the oldest first'),
    problems: ['property_not_found', 'booking_not_found'],
    read: ({ c, body: { property, reference: ofBooking } }, part) =>
      ofBooking === undefined
        ? listChanges(c.get('database'), property, part)
        : listAudit(c.get('database'), property, ofBooking, part),
  });
}

const propertyBody = z.object({ property: code(64).openapi({ example: 'demo' }) });

/** The administrator's calls to a property's PMS (interface: Administration). */
export function registerPmsOperations(api: Api): void {
  adminOperation(api, {
    path: '/admin/v1/pms/ping',
    summary: 'Ping the PMS of a property',
    body: propertyBody,
    answer: {
      Status: z.literal('Success'),
      MessageID: z.string().describe('of the ping'),
      EchoData: z.string().describe('the text that the PMS returned'),
      milliseconds: z.int().describe('until the PMS answered'),
    },
    problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    handle: async ({ c, body }) => {
      const pinged = await pingPms(pmsContext(c), body.property);
      if (!pinged.ok) return pinged;
      const { pong, pmsUrl } = pinged.value;
      // The PMS is up: its messages go out now instead of after the next probe.
      c.executionCtx.waitUntil(pmsDispatchers.notify(c.env, c.get('trace'), pmsUrl, 'up'));
      return ok(pong);
    },
  });

  adminOperation(api, {
    path: '/admin/v1/pms/get-rooms-rates',
    summary: 'Fetch the rooms and rates of a property from its PMS',
    body: propertyBody,
    answer: {
      roomTypes: z.int().describe('how many were fetched'),
      rateTypes: z.int().describe('how many were fetched'),
    },
    problems: ['property_not_found', 'invalid_state', 'gateway_error'],
    handle: ({ c, body }) => getRoomsAndRates(pmsContext(c), body.property),
  });
}

function pmsContext(c: AppContext): PmsRequestContext {
  return { ...pick(c.var, 'database', 'trace', 'config'), now: () => Date.now() };
}
