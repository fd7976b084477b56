import { runInDurableObject } from 'cloudflare:test';
import type { BookingCalls } from '../../../src/booking/stub.ts';
import type { CallContext, Reply } from '../../../src/operation/reply.ts';
import type { SandboxAcquirer } from '../../../src/sandbox/acquirer/acquirer.ts';
import type { DashboardAction as TheirAct } from '../../../src/sandbox/acquirer/dashboard.ts';
import type { AcquirerOperation } from '../../../src/sandbox/acquirer/operations.ts';
import { sandboxAcquirer } from '../../../src/sandbox/stub.ts';
import { testEnv } from '../api.ts';
import { lostRequest } from './lostAnswers.ts';
import { referenceOf } from './names.ts';
import type { DeskAct, Operation } from './operation.ts';
import type { Ids } from './rows.ts';
import type { Place } from './service.ts';
import { type Answer, refusal } from './state.ts';
import { deskNames, ledgerIn, readLedger } from './theirs.ts';

type Of<Do extends Operation['do']> = Extract<Operation, { do: Do }>;

const DONE = refusal('ok');
const REFUSED = refusal('refused');
const NOT_FOUND = refusal('transaction_not_found');

/** Acts at the acquirer's desk, by the booking's clock. */
export async function actAtDesk(
  place: Place,
  ids: Ids,
  { act }: Of<'desk'>,
  nowMs: number,
): Promise<Answer> {
  const theirs = await theirWords(place, ids, act);
  if (theirs === null) return REFUSED;
  const outcome = await sandboxAcquirer(testEnv).act(theirs, nowMs, false);
  return outcome.kind === 'done' ? DONE : REFUSED;
}

/** Decides about a payment on the page of its guest's bank, in one turn of the acquirer: nothing comes between. */
export async function decideAtBank(
  place: Place,
  { allows, ref }: Of<'decide at bank'>,
  nowMs: number,
): Promise<Answer> {
  return runInDurableObject(sandboxAcquirer(testEnv), async (acquirer: SandboxAcquirer, state) => {
    const open = ledgerIn(state.storage, place).find(
      ({ reference, status }) => reference === ref && status === 'pending',
    );
    if (open?.bankStep === undefined) return REFUSED;
    await acquirer.decideAtBank(open.bankStep.id, allows, nowMs);
    return DONE;
  });
}

/** Sends a lost request on to the acquirer, which takes it for new. */
export async function arriveLate(ids: Ids, key: string, nowMs: number): Promise<Answer> {
  const [command = '', part] = key.split('/');
  const theirKey =
    part === undefined ? referenceOf(key) : ids.refundReference(command, Number(part));
  await sandboxAcquirer(testEnv).perform({ ...lostRequest(theirKey), askedAtMs: nowMs });
  return DONE;
}

/** The acquirer's news of a payment, as its webhook brings them. */
export async function tell(
  booking: BookingCalls,
  context: CallContext,
  { ref }: Of<'tell'>,
): Promise<Reply<unknown> | Answer> {
  const made = madeIn(await readLedger(context), ref);
  if (!made) return NOT_FOUND;
  const payment = made.gatewayReference;
  const reference = referenceOf(ref);
  return booking.perform('refreshFromGateway', context, { payment, reference, account: null });
}

/** The acquirer's news of a dispute. */
export async function tellDispute(
  booking: BookingCalls,
  context: CallContext,
  { dispute, ref }: Of<'tell dispute'>,
): Promise<Reply<unknown> | Answer> {
  const id = idOf(await readLedger(context), dispute);
  if (id === null) return NOT_FOUND;
  const reported = { reference: referenceOf(ref), disputeId: id, account: null };
  return booking.perform('refreshDispute', context, reported);
}

async function theirWords(place: Place, ids: Ids, act: DeskAct): Promise<TheirAct | null> {
  const ledger = await readLedger(place);
  switch (act.action) {
    case 'charge':
      return chargeOf(place, act);
    case 'failRefund': {
      const [command = '', part] = act.refund.split('/');
      const own = part === undefined ? null : ids.refundReference(command, Number(part));
      return { action: act.action, refund: own ?? idOf(ledger, act.refund) ?? '' };
    }
    default: {
      const payment = madeIn(ledger, act.ref)?.gatewayReference;
      if (payment === undefined) return null;
      if ('dispute' in act) {
        const { action, amountMinor } = act;
        return { action, payment, amountMinor, disputeId: idOf(ledger, act.dispute) };
      }
      const { action, amountMinor } = act;
      return action === 'dispute'
        ? { action, payment, amountMinor, disputeId: null }
        : { action, payment, amountMinor };
    }
  }
}

async function chargeOf(
  { propertyId }: Place,
  { amountMinor, token }: DeskAct & { action: 'charge' },
): Promise<TheirAct> {
  const card = await testEnv.DB.prepare('SELECT gateway_token FROM cards WHERE token = ?')
    .bind(token)
    .first<{ gateway_token: string }>();
  const gatewayToken = card?.gateway_token ?? '';
  return { action: 'charge', propertyId, gatewayToken, amountMinor, currency: 'AUD' };
}

/** The charge or hold that the acquirer made for a reference. */
function madeIn(ledger: readonly AcquirerOperation[], ref: string): AcquirerOperation | undefined {
  return ledger.find(
    ({ kind, reference, status }) =>
      reference === ref && status === 'succeeded' && ['charge', 'authorization'].includes(kind),
  );
}

/** The acquirer's id of an entry, by the model's name. */
function idOf(ledger: readonly AcquirerOperation[], name: string): string | null {
  for (const [id, known] of deskNames(ledger)) if (known === name) return id;
  return null;
}
