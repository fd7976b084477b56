import { err, ok } from '../../core/result.ts';
import type { Api } from '../../http/operation.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { findProperty } from '../../records/properties/store.ts';
import { idIn } from '../acquirer/ledger.ts';
import { sandboxAcquirer } from '../stub.ts';
import { act } from './act.ts';
import { sandboxOperation } from './operation.ts';
import {
  actAnswer,
  actBody,
  ledgerAnswer,
  ledgerBody,
  operationView,
  vaultAnswer,
  vaultBody,
} from './schemas.ts';

/** The sandbox acquirer's records (interface: Read the sandbox ledger) and its dashboard (interface: Act at the sandbox's desk). */
export function registerSandbox(api: Api): void {
  sandboxOperation(api, {
    path: '/sandbox/v1/ledger',
    summary: 'List the records of the sandbox acquirer, one for each gateway key',
    body: ledgerBody,
    answer: ledgerAnswer,
    handle: async ({ c, body }) => {
      const entries = await c
        .get('trace')
        .span('object.sandbox', () => sandboxAcquirer(c.env).ledger(body.reference ?? null));
      return ok({ operations: entries.map(operationView) });
    },
  });

  sandboxOperation(api, {
    path: '/sandbox/v1/vault',
    summary: "Keep a card in the sandbox acquirer's vault, as an engine's own checkout would",
    body: vaultBody,
    answer: vaultAnswer,
    problems: ['property_not_found', 'card_expired'],
    handle: async ({ c, body }) => {
      const { cardNumber, cardExpiry, property: id } = body;
      const property = id === undefined ? null : await findProperty(c.get('database'), id);
      if (id !== undefined && property === null) return err(propertyNotFound());
      // Without a property, the card is the platform's.
      const account = property?.merchantAccount ?? null;
      const card = {
        number: cardNumber.number,
        expiryMonth: cardExpiry.month,
        expiryYear: cardExpiry.year,
        holderName: null,
        cvv: null,
      };
      const { gatewayToken } = await c
        .get('trace')
        .span('object.sandbox', () => sandboxAcquirer(c.env).vault(card, account));
      return ok({ gatewayToken: idIn(gatewayToken) });
    },
  });

  sandboxOperation(api, {
    path: '/sandbox/v1/act',
    summary:
      "Do at the sandbox acquirer's own desk what a person could do there, past this service",
    body: actBody,
    answer: actAnswer,
    problems: [
      'property_not_found',
      'booking_not_found',
      'transaction_not_found',
      'dispute_not_found',
      'amount_precision',
      'amount_out_of_range',
      'no_card',
      'invalid_state',
    ],
    handle: async ({ c, body }) => {
      const { database, trace } = c.var;
      const work = { env: c.env, database: database.of(body.property), trace };
      const acted = await act(work, body);
      if (!acted.ok) return acted;
      const entry = acted.value;
      return ok(entry ? { operation: operationView(entry) } : {});
    },
  });
}
