import { z } from '@hono/zod-openapi';
import { code, reference } from '../../http/fields.ts';
import { adminList } from '../../http/listOperation.ts';
import type { Api } from '../../http/operation.ts';
import { listAudit, listChanges } from '../../records/audit/actions.ts';
import { entrySchema } from '../../records/audit/views.ts';

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
