import { z } from '@hono/zod-openapi';
import { createClient, revoke } from '../clients/actions.ts';
import { isScope } from '../clients/scopes.ts';
import { exponentOf, toDecimal } from '../core/money.ts';
import { ok } from '../core/result.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { text } from '../http/fields.ts';
import { type Api, adminOperation } from '../http/operation.ts';
import { pokeDispatcher } from '../outbox/stub.ts';
import { putProperty } from '../properties/actions.ts';
import { clientBody, propertyAnswer, propertyBody } from './schemas.ts';

/** The administrator's operations on properties and clients (decisions: section 13). */
export function registerAdmin(api: Api): void {
  adminOperation(
    api,
    {
      path: '/admin/v1/property/put',
      summary: 'Make or change a property',
      body: ({ local }) => propertyBody(local),
      answer: propertyAnswer,
      problems: ['invalid_state'],
    },
    async ({ c, body }) => {
      const { keyring } = c.get('config');
      const put = await putProperty(c.get('database'), keyring, body, Date.now());
      if (!put.ok) return put;
      const { pmsUrl } = put.value;
      // What waits for a PMS may have to go elsewhere now.
      if (pmsUrl !== null && body.pms) {
        c.executionCtx.waitUntil(pokeDispatcher(c.env, c.get('crossings'), pmsUrl, 'up'));
      }
      return ok({ success: true, property: propertyView(put.value) });
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/create',
      summary: 'Make an API client for a property; its secret is shown once',
      body: () => clientBody,
      answer: z.object({
        success: z.literal(true),
        clientId: z.string(),
        clientSecret: z.string(),
      }),
      problems: ['property_not_found'],
    },
    async ({ c, body }) => {
      const scopes = body.scopes.filter(isScope);
      const created = await createClient(c.get('database'), body.property, scopes, Date.now());
      return created.ok ? ok({ success: true, ...created.value }) : created;
    },
  );

  adminOperation(
    api,
    {
      path: '/admin/v1/client/revoke',
      summary: 'Revoke an API client',
      body: () => z.object({ clientId: text(100) }),
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
    keepSchedulesOnCancellation: row.keepSchedulesOnCancellation,
    stripeAccount: row.stripeAccount,
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
