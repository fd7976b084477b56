import { err, ok } from '../../core/result.ts';
import { sandboxAcquirer } from '../../gateways/sandbox/gateway.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { actAtDesk } from './act.ts';
import { noSandbox, usesSandbox } from './gatewayInUse.ts';
import { actAnswer, actBody, ledgerAnswer, ledgerBody, operationView } from './schemas.ts';

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
      return ok({ success: true, operations: entries.map(operationView) });
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
      return ok({ success: true, ...(entry && { operation: operationView(entry) }) });
    },
  );
}
