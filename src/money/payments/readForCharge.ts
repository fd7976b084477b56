import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { SECOND_MS } from '../../core/time.ts';
import { type BookingWork, bookingState } from '../../operation/work.ts';
import {
  type BookingState,
  bookingNotFound,
  busy,
  cardInUse,
} from '../../records/bookings/rules.ts';
import type { CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { readTotals } from '../balance/readBalance.ts';
import { cardToCharge } from './loadTransaction.ts';
import type { PaymentCommand } from './paymentCommand.ts';
import { openQuote } from './quoteToken.ts';
import type { ChargeFacts } from './rules/decideCharge.ts';
import { dependsOnTotals } from './rules/overcharge.ts';
import { type Likeness, selectByQuote, selectLatestLike } from './store.ts';
import { problemTransaction } from './views.ts';

/** All that a payment is decided on, with the whole state of its booking. */
export interface FactsRead extends ChargeFacts {
  readonly state: BookingState;
}

/** Reads all that a payment is decided on. A plain charge of a remembered booking needs no round trip. */
export async function readForCharge(
  work: BookingWork,
  command: PaymentCommand,
): Promise<Result<FactsRead, Failure>> {
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
  const [[used]] = await work.database.batch('d1.transaction.read', [
    selectByQuote(work.database.queries, quote.id),
  ]);
  return { quote, isUsed: used !== undefined };
}

/** What finding a duplicate reads with. */
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
    selectLatestLike(database.queries, propertyId, reference, { ...like, sinceMs }),
  ]);
  if (!earlier) return null;
  return failure(
    'possible_duplicate',
    'The booking has a payment like this one already. Send allowDuplicate, or an Idempotency-Key, to make another.',
    { transaction: problemTransaction(earlier, card, timeZone) },
  );
}
