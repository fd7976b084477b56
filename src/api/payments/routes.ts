import type { FailureCode } from '../../core/failure.ts';
import { type Api, propertyOperation } from '../../http/operation.ts';
import { paymentCommand } from '../../money/payments/charge.ts';
import { cancelledSchedulesSchema, transactionAnswerSchema } from '../../money/payments/views.ts';
import { referenceBody } from '../bookings/schemas.ts';
import { registerQuote } from './quoteRoute.ts';
import { registerReads } from './readRoutes.ts';
import { captureBody, paymentBody, scheduleBody, transactionBody } from './schemas.ts';

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
  registerCancellations(api);
  registerReads(api);
  registerQuote(api);
}

function registerCreation(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/create',
    summary: 'Create a charge or, with preAuth, a pre-authorization',
    scope: 'payments',
    body: ({ exponent, times }) => paymentBody(exponent, times),
    answer: transactionAnswerSchema.shape,
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
    handle: ({ body, callerKey, perform, property }) => {
      const kind = body.hold ? 'authorization' : 'charge';
      const command = paymentCommand(body, kind, body.hold, property.currency, callerKey);
      return perform(body.reference, 'pay', command);
    },
  });

  propertyOperation(api, {
    path: '/payment/v1/schedule',
    summary: 'Schedule a charge',
    scope: 'payments',
    body: ({ exponent, times }) => scheduleBody(exponent, times),
    answer: transactionAnswerSchema.shape,
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
    handle: ({ body, callerKey, perform, property }) => {
      const command = paymentCommand(body, 'schedule', body.time, property.currency, callerKey);
      return perform(body.reference, 'pay', command);
    },
  });
}

function registerPreAuthorizations(api: Api): void {
  propertyOperation(api, {
    path: '/payment/v1/charge-pre-auth',
    summary: 'Charge a pre-authorization, or a part of it. The rest is released',
    scope: 'payments',
    body: ({ exponent }) => captureBody(exponent),
    answer: transactionAnswerSchema.shape,
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
    handle: ({ body, callerKey, perform, property }) => {
      const command = {
        chargeId: body.chargeId,
        amountMinor: body.amount ?? null,
        currency: property.currency,
        caller: callerKey,
      };
      return perform(body.reference, 'capture', command);
    },
  });
}

/** What ends one hold or one schedule before it is charged. */
const ENDINGS = [
  {
    path: '/payment/v1/cancel-pre-auth',
    summary: 'Cancel a pre-authorization and release its hold',
    idempotent: 'cancel-pre-auth',
    problems: [...TRANSACTION, KEY, ...GATEWAY],
    operation: 'release',
  },
  {
    path: '/payment/v1/cancel-schedule',
    summary: 'Cancel a scheduled payment',
    idempotent: 'cancel-schedule',
    problems: [...TRANSACTION, KEY],
    operation: 'cancelSchedule',
  },
] as const;

function registerCancellations(api: Api): void {
  for (const { operation, ...definition } of ENDINGS) {
    propertyOperation(api, {
      ...definition,
      scope: 'payments',
      body: transactionBody,
      answer: transactionAnswerSchema.shape,
      handle: ({ body, callerKey: caller, perform }) =>
        perform(body.reference, operation, { chargeId: body.chargeId, caller }),
    });
  }

  propertyOperation(api, {
    path: '/payment/v1/cancel-schedules',
    summary: 'Cancel all scheduled payments of a booking',
    scope: 'payments',
    body: referenceBody,
    answer: cancelledSchedulesSchema.shape,
    idempotent: 'cancel-schedules',
    problems: ['booking_not_found', KEY],
    handle: ({ body, callerKey: caller, perform }) =>
      perform(body.reference, 'cancelSchedules', { caller }),
  });
}
