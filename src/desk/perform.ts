import type { BookingCalls } from '../booking/calls.ts';
import { callBooking } from '../booking/stub.ts';
import { type Failure, failure, type JsonObject } from '../core/failure.ts';
import { clockOf } from '../core/propertyClock.ts';
import { assertNever, err, ok, type Result } from '../core/result.ts';
import { paymentCommand } from '../money/payments/paymentCommand.ts';
import type { CallerKey } from '../operation/idempotency.ts';
import type { IdempotentOperation } from '../operation/idempotencyStore.ts';
import type { CallContext, Reply } from '../operation/reply.ts';
import type { Config } from '../platform/config.ts';
import type { PropertyRow } from '../platform/db/propertyTables.ts';
import type { Env } from '../platform/env.ts';
import { newMoneyIds, newReference } from '../platform/ids.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { appendAudit } from '../records/audit/store.ts';
import { bookingNotFound } from '../records/bookings/rules.ts';
import { readBooking } from '../records/bookings/store.ts';
import { type RequestWork, requestCard } from '../records/cardRequests/actions.ts';
import { bookingLink, LINK_LIFE_MS } from '../records/links/linkToken.ts';
import type { Person } from '../records/staff/rules.ts';
import { type DeskAction, kindOf, mayAct } from './actions.ts';

/** Who does something to which booking, and what that takes. */
export interface DeskWork extends RequestWork {
  readonly env: Env;
  readonly config: Config;
  readonly person: Person;
  readonly property: PropertyRow;
  readonly reference: string;
  readonly requestId: string;
}

/** What is done once: the action, the key of its form, and the quote that was shown, if one was. */
export interface DeskOrder {
  readonly action: DeskAction;
  /** A UUID: however often the form is sent, it acts once. */
  readonly key: string;
  readonly quoteId: string | null;
}

/** What came of an action. `link` is the address of the guest's payment page, if one was asked for. */
export interface Done {
  readonly link: string | null;
}

const DONE: Done = { link: null };

/**
 * Does what a person asks, by the operations of the interface: audited under the person, with their rights, and once for
 * each key (interface: Console).
 */
export async function perform(work: DeskWork, order: DeskOrder): Promise<Result<Done, Failure>> {
  const { action } = order;
  const may = mayAct(work.person, work.property, action);
  if (!may.ok) return may;
  switch (action.do) {
    case 'requestCard':
      return askForCard(work);
    case 'makeLink':
      return makeLink(work);
    default:
      return callObject(work, callFor(work, order, action));
  }
}

type MoneyAction = Exclude<DeskAction, { readonly do: 'requestCard' | 'makeLink' }>;

type Call = (booking: BookingCalls, context: CallContext) => Promise<Reply<unknown>>;

/** The booking's operation that an action is. */
function callFor({ property }: DeskWork, { key, quoteId }: DeskOrder, action: MoneyAction): Call {
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
      return (booking, context) => booking.pay(context, command);
    }
    case 'capture': {
      const { amountMinor, chargeId } = action;
      const command = { chargeId, amountMinor, currency, caller: caller('charge-pre-auth') };
      return (booking, context) => booking.capture(context, command);
    }
    case 'release': {
      const command = { chargeId: action.chargeId, caller: caller('cancel-pre-auth') };
      return (booking, context) => booking.release(context, command);
    }
    case 'refund': {
      const { amountMinor, chargeId, description } = action;
      const commandReference = newReference();
      const command = { amountMinor, currency, chargeId, description, commandReference };
      return (booking, context) =>
        booking.refund(context, { ...command, caller: caller('refund') });
    }
    case 'cancelSchedule': {
      const command = { chargeId: action.chargeId, caller: caller('cancel-schedule') };
      return (booking, context) => booking.cancelSchedule(context, command);
    }
    case 'cancelSchedules':
      return (booking, context) => booking.cancelSchedules(context, caller('cancel-schedules'));
    case 'resolve': {
      const { gatewayReference, id, outcome, reason } = action;
      const override = {
        id,
        outcome,
        reason,
        caller: caller('resolve'),
        ...(gatewayReference !== null && { gatewayReference }),
      };
      return (booking, context) => booking.resolveManually(context, override);
    }
    default:
      return assertNever(action);
  }
}

async function callObject(work: DeskWork, call: Call): Promise<Result<Done, Failure>> {
  const context = {
    propertyId: work.property.id,
    reference: work.reference,
    requestId: work.requestId,
    actor: work.person.id,
    clock: clockOf(work.property),
  };
  const { answer } = await callBooking(work.env, work.trace, context, (booking) =>
    call(booking, context),
  );
  return answer.ok ? ok(DONE) : answer;
}

/** How long the guest has to answer a card request. */
const REQUEST_LIFE_MS = LINK_LIFE_MS;

async function askForCard(work: DeskWork): Promise<Result<Done, Failure>> {
  const { property, reference } = work;
  const command = { reference, email: null, lifeMs: REQUEST_LIFE_MS };
  const asked = await requestCard(work, property.id, command, propertyNow(property));
  if (!asked.ok) return asked;
  await noteLink(work, 'card requested');
  return ok(DONE);
}

async function makeLink(work: DeskWork): Promise<Result<Done, Failure>> {
  const { baseUrl, database, keyring, property, reference } = work;
  const { state } = await readBooking(database, 'd1.booking.read', property.id, reference);
  if (state === null) return err(bookingNotFound());
  if (state.booking.status === 'cancelled') {
    return err(failure('invalid_state', 'The booking is cancelled.'));
  }
  await noteLink(work, 'made');
  const untilMs = propertyNow(property) + LINK_LIFE_MS;
  return ok({ link: await bookingLink(keyring, baseUrl, state.booking, untilMs) });
}

/** Notes in the audit trail who let the guest have a link. */
async function noteLink(work: DeskWork, to: 'made' | 'card requested'): Promise<void> {
  const { database, person, property, reference } = work;
  const atMs = propertyNow(property);
  await database.batch('d1.audit.save', [
    appendAudit(database.queries, {
      propertyId: property.id,
      bookingReference: reference,
      id: newMoneyIds().sequence(atMs),
      atMs,
      actor: person.id,
      subject: 'links',
      from: null,
      to,
    }),
  ]);
}
