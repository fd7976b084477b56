import { v7 as timeOrderedUuid } from 'uuid';
import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRequestRow, CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { insertCard } from '../cards/store.ts';
import type { Agreed } from '../guestActs/rules.ts';
import { agreementOfCard } from '../guestActs/store.ts';
import type { CardLinkClaims } from '../links/linkToken.ts';
import { insertMail, type NewMail } from '../mails/queue.ts';
import { type ReachWork, whyUnreachable } from '../mails/reach.ts';
import { findProperty } from '../properties/store.ts';
import { MOST_REQUESTS, REQUEST_USED } from './rules.ts';
import {
  completeRequest,
  insertRequest,
  isInserted,
  selectReplacements,
  selectRequest,
  wasUsed,
} from './store.ts';

/** Whom to ask for a card: `reference`, `email` or both are given (interface: Card requests). */
export interface CardRequestCommand {
  readonly reference: string | null;
  /** Replaces the booking's e-mail address. */
  readonly email: string | null;
  readonly lifeMs: number;
  readonly alsoSave?: (row: CardRequestRow) => Statement[];
}

/**
 * Asks a guest for a card: queues the mail, of which the property's mailer is to be notified. Its link is made when it is
 * sent. It takes the place of the booking's earlier requests, unless its mail cannot be sent.
 */
export async function requestCard(
  work: ReachWork,
  propertyId: string,
  command: CardRequestCommand,
  nowMs: number,
): Promise<Result<CardRequestRow>> {
  const { database } = work;
  const { property, booking } = await readOwners(database, propertyId, command.reference);
  if (!property || (command.reference !== null && !booking)) return err(bookingNotFound());
  const email = command.email ?? booking?.email ?? '';
  const unreachable = await whyUnreachable(work, email);
  if (unreachable) return err(unreachable);
  const row: CardRequestRow = {
    id: timeOrderedUuid(),
    propertyId,
    bookingReference: command.reference,
    email,
    status: 'Open',
    expiresAtMs: nowMs + command.lifeMs,
    createdAtMs: nowMs,
  };
  const [inserted] = await database.batch('d1.cardRequest.save', [
    insertRequest(row, MOST_REQUESTS, nowMs - HOUR_MS),
    insertMail(mailOf(row), isInserted(row.id)),
    ...(command.alsoSave?.(row) ?? []),
  ]);
  return inserted.length === 0 ? err(TOO_MANY_REQUESTS) : ok(row);
}

function mailOf({ id, propertyId, bookingReference, createdAtMs: atMs }: CardRequestRow): NewMail {
  return {
    id: `${id}-cardRequest`,
    propertyId,
    bookingReference,
    kind: 'cardRequest',
    eventType: null,
    subjectKind: 'cardRequest',
    subjectId: id,
    atMs,
  };
}

const TOO_MANY_REQUESTS: Failure = {
  code: 'rate_limited',
  detail: `This guest already got ${MOST_REQUESTS} card requests within an hour. Try again later.`,
  retryAfterSeconds: HOUR_MS / 1_000,
};

/**
 * Counts a reminder, by the id of its mail, among the requests for cards that its guest gets in an hour (interface: Card
 * requests): once, however often it is sent. False if there were too many already. Its link leads to the payment page, so
 * the counted request takes no card itself.
 */
export async function countReminder(
  database: Database,
  reminder: Pick<CardRequestRow, 'id' | 'propertyId' | 'bookingReference' | 'email'>,
  nowMs: number,
): Promise<boolean> {
  const row: CardRequestRow = {
    ...reminder,
    status: 'Superseded',
    expiresAtMs: nowMs,
    createdAtMs: nowMs,
  };
  const [counted] = await database.batch('d1.cardRequest.save', [
    insertRequest(row, MOST_REQUESTS, nowMs - HOUR_MS),
  ]);
  return counted.length > 0;
}

/** Saves the card of a request without a booking and completes the request. A request takes one card. */
export async function keepRequestedCard(
  database: Database,
  card: CardRow,
  agreed: Agreed | null = null,
): Promise<Result<CardRow>> {
  try {
    await database.batch('d1.card.save', [
      insertCard(card),
      completeRequest(card.requestId ?? ''),
      ...agreementOfCard(card, agreed),
    ]);
    return ok(card);
  } catch (error) {
    if (!wasUsed(error)) throw error;
    return err(REQUEST_USED);
  }
}

/** A card request with the property and booking that its page shows. */
export interface CardRequest {
  readonly request: CardRequestRow;
  readonly property: PropertyRow;
  readonly booking: BookingRow | null;
  /** Whether a later request for the same booking takes its place, even if the mail of that one is still on its way. */
  readonly isReplaced: boolean;
}

/** Reads a request with its property and booking; null if it does not exist. Two round trips. */
export async function readRequest(database: Database, id: string): Promise<CardRequest | null> {
  const [[request], replacements] = await database.batch('d1.cardRequest.read', [
    selectRequest(id),
    selectReplacements(id),
  ]);
  if (!request) return null;
  const { propertyId, bookingReference } = request;
  const { property, booking } = await readOwners(database, propertyId, bookingReference);
  if (!property || (bookingReference !== null && !booking)) return null;
  const isReplaced = request.status === 'Superseded' || replacements.length > 0;
  return { request, property, booking, isReplaced };
}

/**
 * Reads the request of a link, wherever its property lives. One whose link names no property is looked for in every
 * database first, where there are many.
 */
export async function findRequest(
  database: Database,
  { propertyId, requestId }: CardLinkClaims,
): Promise<CardRequest | null> {
  if (propertyId !== undefined) return readRequest(database.of(propertyId), requestId);
  if (!database.isMany) return readRequest(database, requestId);
  const found = await database.rowAnywhere('d1.cardRequest.read', selectRequest(requestId));
  return found ? readRequest(database.of(found.propertyId), requestId) : null;
}

async function readOwners(database: Database, propertyId: string, reference: string | null) {
  if (reference === null) {
    return { property: await findProperty(database, propertyId), booking: null };
  }
  const read = await readBooking(database, 'd1.booking.read', propertyId, reference);
  return { property: read.property, booking: read.state?.booking ?? null };
}
