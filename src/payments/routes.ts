import { referenceBody } from '../bookings/schemas.ts';
import { callBooking } from '../bookings/stub.ts';
import { hex } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import { addressOf } from '../http/caller.ts';
import { type Api, propertyOperation } from '../http/operation.ts';
import { getTransaction, listTransactions } from './actions.ts';
import {
  chargeAnswerSchema,
  chargeBody,
  listAnswerSchema,
  transactionAnswerSchema,
  transactionBody,
} from './schemas.ts';

/** The payment operations (interface: 4.1 and 4.4; decisions: section 5). */
export function registerPayments(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/create',
      summary: 'Create a charge',
      scope: 'payments',
      body: ({ exponent }) => chargeBody(exponent),
      answer: chargeAnswerSchema,
      idempotent: 'create',
      problems: [
        'booking_not_found',
        'token_not_found',
        'no_card',
        'card_expired',
        'amount_precision',
        'amount_out_of_range',
        'idempotency_key_reused',
        'card_declined',
        'gateway_error',
        'outcome_unknown',
      ],
    },
    async ({ c, body, property, callerKey }) => {
      const address = addressOf(c, property, body.reference);
      const command = {
        requestedMinor: body.amount,
        currency: property.currency,
        virtualCard: body.isVirtualCard ?? false,
        description: body.description ?? null,
        purpose: body.transactionType ?? ('Manual' as const),
        cardToken: body.token ?? null,
        transactionReference: hex(crypto.getRandomValues(new Uint8Array(16))),
        caller: callerKey,
      };
      const charged = await callBooking(c.env, c.get('crossings'), address, (booking) =>
        booking.charge(address, command),
      );
      const { answer } = charged;
      return {
        ...charged,
        answer: answer.ok ? ok({ success: true, transaction: answer.value }) : answer,
      };
    },
  );

  propertyOperation(
    api,
    {
      path: '/payment/v1/transaction',
      summary: 'Get all payment transactions of a booking',
      scope: 'payments',
      body: () => referenceBody,
      answer: listAnswerSchema,
      problems: ['booking_not_found'],
    },
    async ({ c, body, property }) => {
      const listed = await listTransactions(c.get('database'), property.id, body.reference);
      return listed.ok ? ok({ success: 1, transactions: listed.value }) : listed;
    },
  );

  propertyOperation(
    api,
    {
      path: '/payment/v1/get-transaction',
      summary: 'Get one payment transaction',
      scope: 'payments',
      body: () => transactionBody,
      answer: transactionAnswerSchema,
      problems: ['booking_not_found', 'transaction_not_found'],
    },
    async ({ c, body, property }) => {
      const { reference, chargeId } = body;
      const found = await getTransaction(c.get('database'), property.id, reference, chargeId);
      return found.ok ? ok({ success: true, transaction: found.value }) : found;
    },
  );
}
