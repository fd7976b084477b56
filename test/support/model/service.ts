import type { BookingCalls } from '../../../src/booking/calls.ts';
import { bookingObject } from '../../../src/booking/stub.ts';
import { cardFacts } from '../../../src/core/cardNumbers.ts';
import { SandboxGateway } from '../../../src/gateways/sandbox/gateway.ts';
import type { CallerKey } from '../../../src/operation/idempotency.ts';
import type { CallContext, Reply } from '../../../src/operation/reply.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { vaultCard } from '../../../src/records/cards/actions.ts';
import { testEnv } from '../api.ts';
import { testCards } from './cards.ts';
import { type KeyedOperation, keySpace, type Operation, requestOf } from './operation.ts';
import { actAtDesk, arriveLate, tell, tellDispute } from './pastService.ts';
import type { Ids } from './rows.ts';
import type { Verdict } from './settle.ts';
import type { Answer } from './state.ts';

/** Which booking is meant. */
export interface Place {
  readonly propertyId: string;
  readonly reference: string;
}

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const CURRENCY = 'AUD';

/** What an operation was answered: nothing where nobody is told. */
export type Sent = Reply<unknown> | Answer | null;

/**
 * Sends an operation to the booking's object, as the Worker does once it has checked a request, or does it past the
 * service at that time.
 */
export async function send(
  place: Place,
  ids: Ids,
  operation: Operation,
  nowMs: number,
): Promise<Sent> {
  const booking = bookingObject(testEnv, place.propertyId, place.reference);
  const address = { ...place, requestId: 'model', actor: 'model' };
  switch (operation.do) {
    case 'attach':
      return booking.attachCard(address, await vaulted(place, operation));
    case 'save':
      return booking.saveBooking(address, { ...DETAILS, status: operation.status }, CURRENCY);
    case 'resolve by hand':
      return booking.resolveManually(
        address,
        override(ids.payment(operation.ref), operation.verdict),
      );
    case 'resolve refund by hand':
      return booking.resolveManually(
        address,
        override(ids.refund(operation.command, operation.part), operation.verdict),
      );
    case 'desk':
      return actAtDesk(place, ids, operation, nowMs);
    case 'arrive late':
      return arriveLate(ids, operation.request, nowMs);
    case 'tell':
      return tell(booking, asGateway(address), operation);
    case 'tell dispute':
      return tellDispute(booking, asGateway(address), operation);
    case 'wake':
      await booking.wake(address);
      return null;
    default:
      return sendKeyed(booking, address, ids, operation);
  }
}

function sendKeyed(
  booking: BookingCalls,
  context: CallContext,
  ids: Ids,
  operation: KeyedOperation,
): Promise<Reply<unknown>> {
  const caller = callerOf(context, operation);
  switch (operation.do) {
    case 'pay':
      return booking.pay(context, paymentCommand(operation, caller));
    case 'capture': {
      const { ref, amountMinor } = operation;
      const command = { chargeId: ids.payment(ref), amountMinor, currency: CURRENCY, caller };
      return booking.capture(context, command);
    }
    case 'release':
      return booking.release(context, { chargeId: ids.payment(operation.ref), caller });
    case 'cancel schedule':
      return booking.cancelSchedule(context, { chargeId: ids.payment(operation.ref), caller });
    case 'cancel schedules':
      return booking.cancelSchedules(context, caller);
    case 'refund': {
      const { amountMinor, command: commandReference, ref } = operation;
      const chargeId = ref === null ? null : ids.payment(ref);
      const description = null;
      const named = { amountMinor, currency: CURRENCY, chargeId, description };
      return booking.refund(context, { ...named, commandReference, caller });
    }
  }
}

function paymentCommand(operation: Of<'pay'>, caller: CallerKey | null) {
  const { kind, ref, requestedMinor, virtual, token, atMs } = operation;
  return {
    kind,
    time: atMs === null ? null : { text: new Date(atMs).toISOString(), atMs },
    currency: CURRENCY,
    caller,
    limitToDue: false,
    allowDuplicate: false,
    quoteId: null,
    replaces: [],
    initiator: 'property' as const,
    returnBase: null,
    requestedMinor,
    virtualCard: virtual,
    description: null,
    purpose: 'Manual' as const,
    cardToken: token,
    transactionReference: ref,
  };
}

/** The request's booking is part of it: a key sent with another booking's is another request. */
function callerOf({ reference }: CallContext, operation: KeyedOperation): CallerKey | null {
  if (operation.key === null) return null;
  const request = { ...requestOf(operation), reference };
  return { operation: keySpace(operation), key: operation.key, request };
}

/** A card in the acquirer's vault, as tokenize makes it; its token is chosen here, so that the model knows it. */
async function vaulted({ propertyId }: Place, operation: Of<'attach'>) {
  const { number } = testCards[operation.card] ?? { number: '' };
  const facts = cardFacts(number);
  if (!facts) throw new Error('a test card has no valid number');
  const { month, year } = operation.expiry;
  const card = await vaultCard(
    { gateway: new SandboxGateway(testEnv), isPresent: false, trace: new Trace(), about: {} },
    { number, expiryMonth: month, expiryYear: year, holderName: null, cvv: null },
    facts,
    null,
    { propertyId, enteredBy: 'api', requestId: null, createdAtMs: Date.now() },
  );
  if (!card.ok) throw new Error('the vault did not take a card');
  return { ...card.value, token: operation.token };
}

function asGateway(address: CallContext): CallContext {
  return { ...address, actor: 'gateway' };
}

function override(id: number, outcome: Verdict) {
  return { id, outcome, reason: 'the model says so' };
}

const DETAILS = {
  arrival: '2027-02-14',
  departure: '2027-02-17',
  email: 'guest@hotel.com',
  lastName: 'Nguyen',
  totalCostMinor: 60_000,
  firstNightCostMinor: 20_000,
};
