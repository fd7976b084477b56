import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result, refuse } from '../../core/result.ts';
import { SECOND_MS } from '../../core/time.ts';
import { commitIntent } from '../../operation/commit.ts';
import type { Write } from '../../operation/draft.ts';
import type { CallerKey, Resolved } from '../../operation/idempotency.ts';
import type { IdempotencyRow } from '../../operation/idempotencyStore.ts';
import { type BookingWork, bookingState, decideAgain } from '../../operation/work.ts';
import type { Statement } from '../../platform/db/database.ts';
import { newReference } from '../../platform/ids.ts';
import {
  type BookingState,
  bookingNotFound,
  busy,
  cardInUse,
} from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import type { LawfulPrice } from '../pricing/fees.ts';
import { type Attempt, execute } from './attempt.ts';
import { expiryWarningAtMs, planExpiryWarnings } from './beginRecovery.ts';
import { intentWrites } from './entries.ts';
import { cardOf, cardToCharge, readTransaction } from './loadTransaction.ts';
import { openQuote } from './quoteToken.ts';
import { type ChargeFacts, decideCharge } from './rules/decideCharge.ts';
import { cardAfter } from './rules/history.ts';
import { newTransaction, type TransactionCommand } from './rules/newTransaction.ts';
import { dependsOnTotals } from './rules/overcharge.ts';
import type { Purpose } from './rules.ts';
import {
  type Acceptance,
  type Likeness,
  selectAcceptance,
  selectByQuote,
  selectLatestLike,
} from './store.ts';
import {
  acceptedAnswer,
  calledOffAnswer,
  problemTransaction,
  recordedAnswer,
  scheduledAnswer,
  type TransactionAnswer,
} from './views.ts';

/**
 * Charges a booking at once, holds an amount (interface: Charges), or schedules a charge (interface: Schedules). The
 * intent is in D1 before the gateway gets the request, and the outcome is in D1 before the caller gets the answer. An
 * unknown outcome stays `Processing` until the alarm finds it out. A schedule is complete once it is recorded.
 */
export async function charge(
  work: BookingWork,
  command: PaymentCommand,
  { besides = () => [], read = () => readForCharge(work, command) }: Partial<Making> = {},
): Promise<Result<TransactionAnswer>> {
  const decide = async () => {
    const facts = await read();
    return facts.ok ? start(work, command, facts.value, besides) : facts;
  };
  const started = await decideAgain(work, decide);
  if (!started.ok) return started;
  const { state, row, card, recorded } = started.value;
  if (row.kind !== 'schedule') return execute(work, started.value);
  return recorded === 'unknown'
    ? refuse('outcome_unknown', UNRECORDED)
    : ok(scheduledAnswer(row, card, state.property.timeZone));
}

const UNRECORDED =
  'It is unknown whether the schedule was recorded. List the transactions to find out.';

export interface FactsRead extends ChargeFacts {
  readonly state: BookingState;
}

/** How a payment is made of its command. */
export interface Making {
  /** Reads what it is decided on, each time that it is decided. */
  read(): Promise<Result<FactsRead>>;
  /** What is recorded with it. */
  besides(row: TransactionRow): Statement[];
}

/** Reads all that a payment is decided on. A plain charge of a remembered booking needs no round trip. */
export async function readForCharge(
  work: BookingWork,
  command: PaymentCommand,
): Promise<Result<FactsRead>> {
  const { cardToken, currency, quoteId } = command;
  const state = await bookingState(work);
  if (!state) return err(bookingNotFound());
  const { property, booking } = state;
  if (booking.currency !== currency) return err(busy());
  const requestedCard = cardToken === null ? null : await cardToCharge(work, state, cardToken);
  const card = cardToken === null ? cardInUse(state) : requestedCard;
  const needsTotals = quoteId !== null || dependsOnTotals(property, booking, command);
  const isWanted = command.caller !== null || command.allowDuplicate;
  const like = card && { ...command, askedMinor: command.requestedMinor, cardToken: card.token };
  return ok({
    state,
    requestedCard,
    totals: needsTotals ? await readTotals(work) : null,
    quoted: quoteId === null ? null : await readQuote(work, quoteId),
    duplicate: isWanted || !like ? null : await refuseDuplicate(work, property, like, card),
    nowMs: work.now(),
    stepMinor: work.gateway.amountStepMinor(currency),
  });
}

/** Opens the quote that a payment names, and finds out whether an earlier payment used it. */
async function readQuote(work: BookingWork, quoteId: string): Promise<ChargeFacts['quoted']> {
  const quote = await openQuote(work.keyring, work.propertyId, quoteId);
  if (quote === null) return { quote, isUsed: false };
  const { rows } = work.memory;
  // A quote is for one booking, and D1 refuses a second payment with it.
  if (rows) return { quote, isUsed: rows.transactions.some((row) => row.quoteId === quote.id) };
  const [[used]] = await work.database.batch('d1.transaction.read', [selectByQuote(quote.id)]);
  return { quote, isUsed: used !== undefined };
}

type Reading = Pick<BookingWork, 'database' | 'propertyId' | 'reference' | 'now'>;

/**
 * Refuses a charge or hold like one that was made within the property's time and was taken or is under way (interface:
 * Duplicates); null if there is none, or if the property does not look for them. Schedules are not compared. `card` is
 * null for one that is only described.
 */
export async function refuseDuplicate(
  { database, propertyId, reference, now }: Reading,
  { duplicateWindowSeconds, timeZone }: Pick<PropertyRow, 'duplicateWindowSeconds' | 'timeZone'>,
  like: Likeness,
  card: CardRow | null,
): Promise<Failure | null> {
  if (duplicateWindowSeconds === 0 || like.kind === 'schedule') return null;
  const sinceMs = now() - duplicateWindowSeconds * SECOND_MS;
  const [[earlier]] = await database.batch('d1.transaction.read', [
    selectLatestLike(propertyId, reference, { ...like, sinceMs }),
  ]);
  if (!earlier) return null;
  return failure(
    'possible_duplicate',
    'The booking has a payment like this one already. Send allowDuplicate, or an Idempotency-Key, to make another.',
    { transaction: problemTransaction(earlier, card, timeZone) },
  );
}

/** Decides the payment and records its intent in one batch, with the caller's key and, for a schedule, its answer. */
async function start(
  work: BookingWork,
  command: PaymentCommand,
  facts: FactsRead,
  besides: Making['besides'],
): Promise<Result<Attempt>> {
  const decided = decideCharge(command, facts);
  if (!decided.ok) return decided;
  const { nowMs, state } = facts;
  const { card } = decided.value;
  const row = newTransaction(command, {
    state,
    decided: decided.value,
    gateway: work.gateway.name,
    id: work.ids.next('charge', nowMs),
    nowMs,
    idempotencyKey: command.caller?.key ?? null,
    quoteId: facts.quoted?.quote?.id ?? null,
  });
  const warningAtMs = expiryWarningAtMs(state.property, row, card);
  await work.wakeBy(Math.min(row.dueAtMs ?? nowMs, warningAtMs ?? Number.POSITIVE_INFINITY));
  const isScheduled = row.kind === 'schedule';
  const answer = isScheduled ? ok(scheduledAnswer(row, card, state.property.timeZone)) : null;
  const writes: Write[] = [
    { takes: { caller: command.caller, commandReference: row.reference, answer } },
    ...intentWrites(work, { after: row, atMs: nowMs, card }),
    ...planExpiryWarnings(work, state.property, [row], card),
    ...besides(row),
  ];
  const recorded = await commitIntent(work, 'd1.transaction.intend', writes, async () => {
    const now = await readTransaction(work, { reference: row.reference });
    return now?.id === row.id;
  });
  return ok({ state, row, card: cardAfter(card, { before: null, after: row }), recorded });
}

/** The row of a payment that this service makes by itself, at this price: its amount is what was asked for. */
export function ownTransaction(
  work: BookingWork,
  state: BookingState,
  command: TransactionCommand,
  card: CardRow | null,
  { priced, terms, warnings }: Pick<LawfulPrice, 'priced' | 'terms' | 'warnings'>,
): TransactionRow {
  const nowMs = work.now();
  const amount = { askedMinor: null, warnings: [] };
  return newTransaction(command, {
    state,
    decided: { card, priced, terms, warnings, amount },
    gateway: work.gateway.name,
    id: work.ids.next('charge', nowMs),
    nowMs,
    idempotencyKey: null,
    quoteId: null,
  });
}

/** The first answer to a request whose payment was recorded: of an accepted charge, as its event tells it for ever. */
export function firstAnswer(work: BookingWork): Resolved<TransactionAnswer, Acceptance> {
  return {
    reads: (name) => selectAcceptance(work, name),
    answer: async (kept, [accepted]) =>
      accepted ? ok(acceptedAnswer(accepted)) : asRecorded(work, kept),
  };
}

/** The answer to a request whose transaction was recorded earlier, from the transaction's current state. */
async function asRecorded(
  work: BookingWork,
  { commandReference }: Pick<IdempotencyRow, 'commandReference'>,
  answerOf = recordedAnswer,
): Promise<Result<TransactionAnswer>> {
  const row = commandReference && (await readTransaction(work, { reference: commandReference }));
  const state = await bookingState(work);
  if (!row || !state) throw new Error('a recorded transaction is missing');
  return answerOf(row, await cardOf(work, state, row), state.property.timeZone);
}

/** The answer to a repeated request that captures or ends a transaction. */
export function answerNow(
  work: BookingWork,
  kept: Pick<IdempotencyRow, 'commandReference'>,
): Promise<Result<TransactionAnswer>> {
  return asRecorded(work, kept, calledOffAnswer);
}

/** A payment as it reaches the booking's object. */
export interface PaymentCommand extends TransactionCommand {
  readonly caller: CallerKey | null;
  /** Whether a payment like an earlier one is wanted. A caller's key says so too. */
  readonly allowDuplicate: boolean;
  /** The quote to charge exactly; null for none. */
  readonly quoteId: string | null;
  /** The total that the payer agreed to, fees included; null where they were shown none. */
  readonly agreedMinor: number | null;
}

/** A validated payment request of any kind. */
interface PaymentBody {
  readonly amount: number;
  readonly isVirtualCard?: boolean | undefined;
  readonly description?: string | undefined;
  readonly transactionType?: Purpose | undefined;
  readonly token?: string | undefined;
  readonly limitToDue?: boolean | undefined;
  readonly allowDuplicate?: boolean | undefined;
  readonly quoteId?: string | undefined;
  readonly initiator?: TransactionRow['initiator'] | undefined;
}

/** Turns a request into a command for the booking's object, with a reference for the new transaction. */
export function paymentCommand(
  body: PaymentBody,
  kind: PaymentCommand['kind'],
  time: PaymentCommand['time'],
  currency: string,
  caller: CallerKey | null,
): PaymentCommand {
  return {
    kind,
    time,
    currency,
    caller,
    requestedMinor: body.amount,
    virtualCard: body.isVirtualCard ?? false,
    description: body.description ?? null,
    purpose: body.transactionType ?? 'Manual',
    cardToken: body.token ?? null,
    initiator: body.initiator ?? 'property',
    returnBase: null,
    replaces: [],
    lowers: null,
    replacesCharge: null,
    limitToDue: body.limitToDue ?? false,
    quoteId: body.quoteId ?? null,
    agreedMinor: null,
    allowDuplicate: body.allowDuplicate ?? false,
    transactionReference: newReference(),
  };
}
