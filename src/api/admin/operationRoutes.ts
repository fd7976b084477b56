import { z } from '@hono/zod-openapi';
import { callBooking } from '../../booking/stub.ts';
import { err, ok } from '../../core/result.ts';
import { ACQUIRER_ID } from '../../gateways/acquirerId.ts';
import {
  chargeId,
  description,
  email,
  gatewayId,
  identifier,
  reference,
} from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { listMails } from '../../mails/list.ts';
import { mailSchema, mailStatusSchema } from '../../mails/views.ts';
import { findBookingOf } from '../../money/folio/list.ts';
import { transactionNotFound } from '../../money/payments/rules.ts';
import { liftSuppression } from '../../platform/mail/suppression.ts';

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
      if (!found) return err(transactionNotFound());
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
