import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { AppContext } from '../../http/context.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { selectProperty } from '../../records/properties/store.ts';
import { idIn } from '../acquirer/reference.ts';
import { sandboxAcquirer } from '../stub.ts';
import { actAtDesk } from './act.ts';
import { noSandbox, usesSandbox } from './gatewayInUse.ts';
import {
  actAnswer,
  actBody,
  ledgerAnswer,
  ledgerBody,
  operationView,
  vaultAnswer,
  vaultBody,
} from './schemas.ts';

/** The sandbox acquirer's records (interface: Read the sandbox ledger) and its desk (interface: Act at the sandbox's desk). */
export function registerSandbox(api: Api): void {
  adminOperation(
    api,
    {
      path: '/sandbox/v1/ledger',
      summary: 'List the records of the sandbox acquirer, one for each gateway key',
      body: () => ledgerBody,
      answer: ledgerAnswer,
      problems: ['not_found'],
    },
    async ({ c, body }) => {
      if (!usesSandbox(c)) return err(noSandbox());
      const entries = await c
        .get('trace')
        .span('object.sandbox', () => sandboxAcquirer(c.env).ledger(body.reference ?? null));
      return ok({ operations: entries.map(operationView) });
    },
  );

  adminOperation(
    api,
    {
      path: '/sandbox/v1/vault',
      summary: "Keep a card in the sandbox acquirer's vault, as an engine's own checkout would",
      body: () => vaultBody,
      answer: vaultAnswer,
      problems: ['not_found', 'property_not_found', 'card_expired'],
    },
    async ({ c, body }) => {
      if (!usesSandbox(c)) return err(noSandbox());
      const account = await accountOf(c, body.property);
      if (!account.ok) return account;
      const { cardNumber, cardExpiry } = body;
      const card = {
        number: cardNumber.number,
        expiryMonth: cardExpiry.month,
        expiryYear: cardExpiry.year,
        holderName: null,
        cvv: null,
      };
      const { gatewayToken } = await c
        .get('trace')
        .span('object.sandbox', () => sandboxAcquirer(c.env).vault(card, account.value));
      return ok({ gatewayToken: idIn(gatewayToken) });
    },
  );

  adminOperation(
    api,
    {
      path: '/sandbox/v1/act',
      summary:
        "Do at the sandbox acquirer's own desk what a person could do there, past this service",
      body: () => actBody,
      answer: actAnswer,
      problems: [
        'not_found',
        'property_not_found',
        'booking_not_found',
        'transaction_not_found',
        'dispute_not_found',
        'amount_precision',
        'amount_out_of_range',
        'no_card',
        'invalid_state',
      ],
    },
    async ({ c, body }) => {
      if (!usesSandbox(c)) return err(noSandbox());
      const { database, trace } = c.var;
      const acted = await actAtDesk({ env: c.env, database, trace }, body);
      if (!acted.ok) return acted;
      const entry = acted.value;
      return ok(entry ? { operation: operationView(entry) } : {});
    },
  );
}

/** The account that a property has at the acquirer; the platform's without a property. */
async function accountOf(
  c: AppContext,
  propertyId: string | undefined,
): Promise<Result<string | null, Failure>> {
  if (propertyId === undefined) return ok(null);
  const database = c.get('database');
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  return property ? ok(property.merchantAccount) : err(propertyNotFound());
}
