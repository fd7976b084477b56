import { z } from '@hono/zod-openapi';
import { exponentOf, storedDecimal, toDecimal } from '../../core/money.ts';
import { ok } from '../../core/result.ts';
import { code } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { secretWork } from '../../http/secretWork.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import { notifyDispatcher } from '../../pms/outbox/stub.ts';
import { revoke } from '../../records/clients/actions.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import { isScope } from '../../records/clients/scopes.ts';
import { putProperty } from '../../records/properties/actions.ts';
import {
  brandingView,
  contactView,
  guestMailsView,
} from '../../records/properties/guestSettings.ts';
import { channelCodeOf, feeLawOf } from '../../records/properties/rules.ts';
import { createClient } from './createClient.ts';
import { clientBody, propertyAnswer, propertyBody } from './schemas.ts';

/** The administrator's operations on properties and clients (interface: Administration). */
export function registerAdmin(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/property/put',
      summary: 'Create or change a property',
      body: ({ local }) => propertyBody(local),
      answer: propertyAnswer,
      problems: ['invalid_state', 'surcharge_not_allowed'],
    },
    async ({ c, body }) => {
      const { keyring } = c.get('config');
      const put = await putProperty(c.get('database'), keyring, body, Date.now());
      if (!put.ok) return put;
      forgetClientsOf(put.value.id);
      const { pmsUrl } = put.value;
      // The PMS may have a new URL: waiting messages go there now.
      if (pmsUrl !== null && body.pms) {
        c.executionCtx.waitUntil(notifyDispatcher(c.env, c.get('trace'), pmsUrl, 'up'));
      }
      return ok({ success: true, property: propertyView(put.value) });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/create',
      summary:
        'Create an API client of a property. Shows its secret once, or again under the same idempotency key',
      body: () => clientBody,
      answer: z.object({
        success: z.literal(true),
        clientId: z.string(),
        clientSecret: z.string(),
      }),
      problems: ['property_not_found', 'idempotency_key_reused'],
      idempotent: 'create-client',
    },
    async (request) => {
      const { property, scopes } = request.body;
      return withSuccess(await createClient(secretWork(request), property, scopes.filter(isScope)));
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
      const revoked = await revoke(c.get('database'), body.clientId, Date.now());
      return revoked.ok ? ok({ success: true }) : revoked;
    },
  );
}

function propertyView(row: PropertyRow): z.input<typeof propertyAnswer>['property'] {
  return {
    property: row.id,
    name: row.name,
    site: row.site,
    currency: row.currency,
    timeZone: row.timeZone,
    portfolio: row.portfolio,
    cardFeeBasisPoints: row.cardFeeBasisPoints,
    cardFeeByBrand: row.cardFeeByBrand,
    transactionFee: toDecimal(row.transactionFeeMinor, exponentOf(row.currency) ?? 2),
    refundLimit:
      row.refundLimitMinor === null ? null : storedDecimal(row.refundLimitMinor, row.currency),
    country: row.country,
    feeLaw: feeLawOf(row),
    overchargeGuard: row.overchargeGuard,
    duplicateWindowSeconds: row.duplicateWindowSeconds,
    keepSchedulesOnCancellation: row.keepSchedulesOnCancellation,
    cardRecovery: row.cardRecovery,
    stripeAccount: row.stripeAccount,
    bookingsFromPms: row.bookingsFromPms,
    channelCode: channelCodeOf(row),
    contact: contactView(row.contact),
    guestMails: guestMailsView(row.guestMails),
    branding: brandingView(row.branding),
    pms:
      row.pmsUrl === null
        ? null
        : {
            url: row.pmsUrl,
            username: row.pmsUsername ?? '',
            transactionFormat: row.pmsTransactionFormat,
            namespace: row.pmsNamespace,
          },
  };
}
