import { LONGEST_WAIT_MS } from '../../../src/booking/queue.ts';
import { type BookingCalls, bookingObject } from '../../../src/booking/stub.ts';
import { cardFacts } from '../../../src/core/cardNumbers.ts';
import { SandboxGateway } from '../../../src/gateways/sandbox.ts';
import type { CallerKey } from '../../../src/operation/idempotency.ts';
import type { CallContext, Reply } from '../../../src/operation/reply.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { vaultCard } from '../../../src/records/cards/actions.ts';
import { sandboxAcquirer } from '../../../src/sandbox/stub.ts';
import { testEnv } from '../api.ts';
import { testCards } from './cards.ts';
import { type KeyedOperation, keySpace, type Operation, requestOf } from './operation.ts';
import { actAtDesk, arriveLate, decideAtBank, tell, tellDispute } from './pastService.ts';
import { putTerms } from './properties.ts';
import { quote, quoteIdOf } from './quoting.ts';
import type { Ids } from './rows.ts';
import type { Verdict } from './settle.ts';
import { type Answer, type Lowered, refusal } from './state.ts';
import { ARRIVAL, DEPARTURE, FIRST_NIGHT_MINOR } from './times.ts';

/** Which booking is meant. */
export interface Place {
  readonly propertyId: string;
  readonly reference: string;
}

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const CURRENCY = 'AUD';

/** What an operation was answered: nothing where nobody is told. */
export type Sent = Reply<unknown> | Answer | null;

/** How often a story sends an operation whose turn does not come. */
const MOST_SENDINGS = 5;

/**
 * Sends an operation to the booking's object. One whose turn does not come within the eight seconds of a machine that has
 * other things to do was not started: it is sent again, as callers do.
 */
export async function send(...what: Parameters<typeof sendOnce>): Promise<Sent> {
  for (let sent = 1; ; sent += 1) {
    const beganMs = Date.now();
    const reply = await sendOnce(...what);
    const hasWaited = Date.now() - beganMs >= LONGEST_WAIT_MS;
    if (sent === MOST_SENDINGS || !hasWaited || !isBusy(reply)) return reply;
  }
}

function isBusy(reply: Sent): boolean {
  if (reply === null || !('answered' in reply)) return false;
  const { answer } = reply.answered;
  return !answer.ok && answer.error.code === 'busy';
}

/** Sends an operation as the Worker does once it has checked a request, or does it past the service at that time. */
async function sendOnce(
  place: Place,
  ids: Ids,
  operation: Operation,
  nowMs: number,
): Promise<Sent> {
  const booking = bookingObject(testEnv, place.propertyId, place.reference);
  const address = { ...place, requestId: 'model', actor: 'model' };
  switch (operation.do) {
    case 'attach':
      return booking.perform('attachCard', address, { card: await vaulted(place, operation) });
    case 'save': {
      const { status, totalMinor: totalCostMinor } = operation;
      const email = `${place.reference}@hotel.com`;
      const details = { ...DETAILS, email, status, totalCostMinor };
      return booking.perform('saveBooking', address, { currency: CURRENCY, details });
    }
    case 'set':
      await putTerms(place.propertyId, operation.terms, nowMs);
      return refusal('ok');
    case 'outage':
      await sandboxAcquirer(testEnv).setOutage(place.propertyId, operation.outage);
      return refusal('ok');
    case 'decide at bank':
      return decideAtBank(place, operation, nowMs);
    case 'come back': {
      const { givesUp, ref } = operation;
      return booking.perform('followGuestPayment', address, {
        chargeId: ids.payment(ref),
        givesUp,
      });
    }
    case 'quote':
      return quote(place, operation, nowMs);
    case 'resolve by hand':
      return booking.perform(
        'resolveManually',
        address,
        override(ids.payment(operation.ref), operation.verdict),
      );
    case 'resolve refund by hand':
      return booking.perform(
        'resolveManually',
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
      return booking.perform('pay', context, paymentCommand(operation, caller));
    case 'guest pays':
      return booking.perform('payAsGuest', context, guestCommand(ids, operation, caller));
    case 'capture': {
      const { ref, amountMinor } = operation;
      const command = { chargeId: ids.payment(ref), amountMinor, currency: CURRENCY, caller };
      return booking.perform('capture', context, command);
    }
    case 'release':
      return booking.perform('release', context, { chargeId: ids.payment(operation.ref), caller });
    case 'cancel schedule':
      return booking.perform('cancelSchedule', context, {
        chargeId: ids.payment(operation.ref),
        caller,
      });
    case 'cancel schedules':
      return booking.perform('cancelSchedules', context, { caller });
    case 'refund': {
      const { amountMinor, command: commandReference, ref, waive } = operation;
      const chargeId = ref === null ? null : ids.payment(ref);
      const named = { amountMinor, currency: CURRENCY, chargeId, waive, commandReference, caller };
      return booking.perform('refund', context, {
        ...named,
        description: null,
        dailyLimitMinor: null,
      });
    }
  }
}

const NO_GUEST = {
  currency: CURRENCY,
  allowDuplicate: false,
  replaces: [],
  asked: [],
  lowers: null,
  returnBase: null,
  replacesCharge: null,
  description: null,
} as const;

function paymentCommand(operation: Of<'pay'>, caller: CallerKey | null) {
  const {
    kind,
    limitToDue,
    purpose,
    quote: name,
    ref,
    requestedMinor,
    virtual,
    token,
    atMs,
  } = operation;
  return {
    ...NO_GUEST,
    kind,
    time: atMs === null ? null : { text: new Date(atMs).toISOString(), atMs },
    caller,
    limitToDue,
    agreedMinor: null,
    quoteId: name === null ? null : quoteIdOf(name),
    initiator: 'property' as const,
    requestedMinor,
    virtualCard: virtual,
    purpose,
    cardToken: token,
    transactionReference: ref,
  };
}

function guestCommand(ids: Ids, operation: Of<'guest pays'>, caller: CallerKey | null) {
  const { agreedMinor, lowers, purpose, ref, replaces, requestedMinor, token } = operation;
  if (caller === null) throw new Error('a guest pays under a key');
  return {
    ...NO_GUEST,
    returnBase: 'https://hotel.com/guest',
    kind: 'charge' as const,
    time: null,
    caller,
    limitToDue: false,
    quoteId: null,
    initiator: 'guest' as const,
    requestedMinor,
    agreedMinor,
    replaces: replaces.map((schedule) => ids.payment(schedule)),
    lowers: lowers && loweredTo(ids, lowers),
    virtualCard: false,
    purpose,
    cardToken: token,
    transactionReference: ref,
  };
}

/** What a schedule takes less, in the service's words. */
function loweredTo(ids: Ids, { amountMinor, ref, requestedMinor }: Lowered) {
  const row = ids.row(ref);
  const feesMinor = amountMinor - requestedMinor;
  const transactionFeeMinor = Math.min(row?.transaction_fee_minor ?? 0, feesMinor);
  const cardFeeMinor = feesMinor - transactionFeeMinor;
  return { id: ids.payment(ref), requestedMinor, amountMinor, transactionFeeMinor, cardFeeMinor };
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
    operation.account,
    {
      propertyId,
      enteredBy: operation.enteredBy,
      enteredToPay: operation.toPay,
      requestId: null,
      createdAtMs: Date.now(),
    },
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
  arrival: ARRIVAL,
  departure: DEPARTURE,
  lastName: 'Nguyen',
  firstNightCostMinor: FIRST_NIGHT_MINOR,
};
