import type { FailureCode } from '../../core/failure.ts';
import { ok } from '../../core/result.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { withSuccess } from '../../http/withSuccess.ts';
import { getTransaction, listTransactions } from '../../money/folio/list.ts';
import { paymentCommand } from '../../money/payments/paymentCommand.ts';
import { referenceBody } from '../bookings/schemas.ts';
import { callBookingOf } from '../callBooking.ts';
import { registerBalance } from './balanceRoute.ts';
import { registerQuote } from './quoteRoute.ts';
import {
  cancelledSchedulesAnswer,
  captureBody,
  listAnswer,
  listedTransactionAnswer,
  paymentBody,
  scheduleBody,
  transactionAnswer,
  transactionBody,
} from './schemas.ts';

const AMOUNT: FailureCode[] = ['amount_precision', 'amount_out_of_range'];
const TIME: FailureCode[] = ['time_in_past', 'time_too_far'];
const CARD: FailureCode[] = ['token_not_found', 'no_card', 'card_expired'];
const TRANSACTION: FailureCode[] = ['booking_not_found', 'transaction_not_found', 'invalid_state'];
const GATEWAY: FailureCode[] = ['card_declined', 'gateway_error'];
const KEY: FailureCode = 'idempotency_key_reused';

/** The payment operations (interface: Charges). */
export function registerPayments(api: Api): void {
  registerCreation(api);
  registerPreAuthorizations(api);
  registerSchedules(api);
  registerLists(api);
  registerBalance(api);
  registerQuote(api);
}

function registerCreation(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/create',
      summary: 'Create a charge or, with preAuth, a pre-authorization',
      scope: 'payments',
      body: ({ exponent, times }) => paymentBody(exponent, times),
      answer: transactionAnswer,
      idempotent: 'create',
      problems: [
        'booking_not_found',
        'invalid_state',
        'possible_duplicate',
        'quote_stale',
        'quote_invalid',
        'amount_exceeds_due',
        ...AMOUNT,
        ...TIME,
        ...CARD,
        KEY,
        ...GATEWAY,
      ],
    },
    async ({ c, body, property, callerKey }) => {
      const kind = body.hold ? 'authorization' : 'charge';
      const command = paymentCommand(body, kind, body.hold, property.currency, callerKey);
      return withSuccess(await callBookingOf(c, property, body.reference, 'pay', command));
    },
  );

  propertyOperation(
    api,
    {
      path: '/payment/v1/schedule',
      summary: 'Schedule a charge',
      scope: 'payments',
      body: ({ exponent, times }) => scheduleBody(exponent, times),
      answer: transactionAnswer,
      idempotent: 'schedule',
      problems: [
        'booking_not_found',
        'invalid_state',
        'amount_exceeds_due',
        ...AMOUNT,
        ...TIME,
        ...CARD,
        KEY,
      ],
    },
    async ({ c, body, property, callerKey }) => {
      const command = paymentCommand(body, 'schedule', body.time, property.currency, callerKey);
      return withSuccess(await callBookingOf(c, property, body.reference, 'pay', command));
    },
  );
}

function registerPreAuthorizations(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/charge-pre-auth',
      summary: 'Charge a pre-authorization, or a part of it. The rest is released',
      scope: 'payments',
      body: ({ exponent }) => captureBody(exponent),
      answer: transactionAnswer,
      idempotent: 'charge-pre-auth',
      problems: [
        ...TRANSACTION,
        'preauth_expired',
        'capture_exceeds_authorization',
        'amount_exceeds_due',
        ...AMOUNT,
        KEY,
        ...GATEWAY,
      ],
    },
    async ({ c, body, property, callerKey }) => {
      const command = {
        chargeId: body.chargeId,
        amountMinor: body.amount ?? null,
        currency: property.currency,
        caller: callerKey,
      };
      return withSuccess(await callBookingOf(c, property, body.reference, 'capture', command));
    },
  );

  propertyOperation(
    api,
    {
      path: '/payment/v1/cancel-pre-auth',
      summary: 'Cancel a pre-authorization and release its hold',
      scope: 'payments',
      body: () => transactionBody,
      answer: transactionAnswer,
      idempotent: 'cancel-pre-auth',
      problems: [...TRANSACTION, KEY, ...GATEWAY],
    },
    async ({ c, body, property, callerKey }) => {
      const command = { chargeId: body.chargeId, caller: callerKey };
      return withSuccess(await callBookingOf(c, property, body.reference, 'release', command));
    },
  );
}

function registerSchedules(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/cancel-schedule',
      summary: 'Cancel a scheduled payment',
      scope: 'payments',
      body: () => transactionBody,
      answer: transactionAnswer,
      idempotent: 'cancel-schedule',
      problems: [...TRANSACTION, KEY],
    },
    async ({ c, body, property, callerKey }) => {
      const command = { chargeId: body.chargeId, caller: callerKey };
      return withSuccess(
        await callBookingOf(c, property, body.reference, 'cancelSchedule', command),
      );
    },
  );

  propertyOperation(
    api,
    {
      path: '/payment/v1/cancel-schedules',
      summary: 'Cancel all scheduled payments of a booking',
      scope: 'payments',
      body: () => referenceBody,
      answer: cancelledSchedulesAnswer,
      idempotent: 'cancel-schedules',
      problems: ['booking_not_found', KEY],
    },
    async ({ c, body, property, callerKey }) => {
      const command = { caller: callerKey };
      return withSuccess(
        await callBookingOf(c, property, body.reference, 'cancelSchedules', command),
      );
    },
  );
}

function registerLists(api: Api): void {
  propertyOperation(
    api,
    {
      path: '/payment/v1/transaction',
      summary: 'Get all payment transactions of a booking',
      scope: 'payments:read',
      body: () => referenceBody,
      answer: listAnswer,
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
      scope: 'payments:read',
      body: () => transactionBody,
      answer: listedTransactionAnswer,
      problems: ['booking_not_found', 'transaction_not_found'],
    },
    async ({ c, body, property }) => {
      const { reference, chargeId } = body;
      const found = await getTransaction(c.get('database'), property.id, reference, chargeId);
      return found.ok ? ok({ success: true, transaction: found.value }) : found;
    },
  );
}
