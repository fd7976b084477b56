import type { BookingCall } from '../booking/operations.ts';
import { callBooking } from '../booking/stub.ts';
import type { JsonObject } from '../core/failure.ts';
import { clockOf } from '../core/propertyClock.ts';
import { assertNever, ok, type Result } from '../core/result.ts';
import { paymentCommand } from '../money/payments/charge.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotentOperation } from '../operation/idempotencyStore.ts';
import type { CallContext } from '../operation/reply.ts';
import { newReference } from '../platform/ids.ts';
import {
  type DeskAction,
  type DeskOrder,
  type DeskWork,
  type Done,
  dailyRefundLimit,
  kindOf,
  rightFor,
} from './actions.ts';
import { askForCard, mailLink, makeLink } from './links.ts';
import { may } from './rights.ts';

/**
 * Does what a person asks, by the operations of the interface: audited under the person, with their rights, and once for
 * each key (interface: Console).
 */
export async function perform(work: DeskWork, order: DeskOrder): Promise<Result<Done>> {
  const { action } = order;
  const allowed = may(work.person, work.property, rightFor[action.do]);
  if (!allowed.ok) return allowed;
  switch (action.do) {
    case 'requestCard':
      return askForCard(work, order);
    case 'makeLink':
      return makeLink(work, order);
    case 'mailLink':
      return mailLink(work, order);
    default: {
      const [name, command] = callFor(work, order, action);
      const { answer } = await callBooking(work, contextOf(work), name, command);
      return answer.ok ? ok({ link: null }) : answer;
    }
  }
}

type MoneyAction = Exclude<DeskAction, { readonly do: 'requestCard' | 'makeLink' | 'mailLink' }>;

/** The booking's operation that an action is. */
function callFor(
  { person, property }: DeskWork,
  { key, quoteId }: DeskOrder,
  action: MoneyAction,
): BookingCall {
  const { currency } = property;
  const caller = (operation: IdempotentOperation): CallerKey => ({
    operation,
    key: `desk-${key}`,
    request: { ...action, quoteId } satisfies JsonObject,
  });
  switch (action.do) {
    case 'charge':
    case 'schedule':
    case 'hold': {
      const command = paymentCommand(
        {
          amount: action.amountMinor,
          transactionType: action.purpose,
          initiator: action.initiator,
          ...(action.cardToken !== null && { token: action.cardToken }),
          ...(action.description !== null && { description: action.description }),
          ...(quoteId !== null && { quoteId }),
        },
        kindOf[action.do],
        action.do === 'charge' ? null : action.time,
        currency,
        caller(action.do === 'schedule' ? 'schedule' : 'create'),
      );
      return ['pay', command];
    }
    case 'capture': {
      const { amountMinor, chargeId } = action;
      return ['capture', { chargeId, amountMinor, currency, caller: caller('charge-pre-auth') }];
    }
    case 'release':
      return ['release', { chargeId: action.chargeId, caller: caller('cancel-pre-auth') }];
    case 'refund': {
      const { amountMinor, chargeId, description, waive } = action;
      const commandReference = newReference();
      const dailyLimitMinor = dailyRefundLimit(person, property);
      const of = { amountMinor, currency, chargeId, description, waive };
      const command = { ...of, commandReference, dailyLimitMinor };
      return ['refund', { ...command, caller: caller('refund') }];
    }
    case 'cancelSchedule':
      return ['cancelSchedule', { chargeId: action.chargeId, caller: caller('cancel-schedule') }];
    case 'cancelBooking':
      return ['cancelBooking', { quoteId: quoteId ?? '', caller: caller('apply-cancellation') }];
    case 'cancelSchedules':
      return ['cancelSchedules', { caller: caller('cancel-schedules') }];
    case 'putPlan': {
      const { template } = action;
      const command = { spec: null, template, currency, cardToken: null, dryRun: false };
      return ['putPlan', { ...command, shown: quoteId ?? '', caller: caller('put-plan') }];
    }
    case 'cancelPlan':
      return ['cancelPlan', { caller: caller('cancel-plan') }];
    case 'resolve': {
      const { gatewayReference, id, outcome, reason } = action;
      const named = gatewayReference !== null && { gatewayReference };
      return ['resolveManually', { id, outcome, reason, ...named, caller: caller('resolve') }];
    }
    default:
      return assertNever(action);
  }
}

/** Whose call it is, and of which booking. */
export function contextOf(
  work: Pick<DeskWork, 'person' | 'property' | 'reference' | 'requestId'>,
): CallContext {
  const { person, property, reference, requestId } = work;
  return {
    propertyId: property.id,
    reference,
    requestId,
    actor: person.id,
    actorName: person.name,
    clock: clockOf(property),
  };
}
