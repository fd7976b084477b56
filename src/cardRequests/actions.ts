import { v7 as timeOrderedUuid } from 'uuid';
import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { insertCard } from '../cards/store.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { HOUR_MS } from '../core/time.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { BookingRow } from '../db/bookingTables.ts';
import type { CardRequestRow, CardRow } from '../db/cardTables.ts';
import type { Database } from '../db/database.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import { cardLink } from '../guest/tickets.ts';
import { type MailWork, sendMail } from '../mail/send.ts';
import { selectProperty } from '../properties/store.ts';
import { requestMail } from './message.tsx';
import { requestUsed, wasUsed } from './rules.ts';
import {
  completeRequest,
  deleteRequest,
  insertRequest,
  selectRequest,
  supersedeOthers,
} from './store.ts';

/** How often a guest is asked in an hour, by booking; by address where there is no booking. */
const MOST_REQUESTS = 5;

/** What asking needs. */
export interface RequestWork extends MailWork {
  readonly keyring: Keyring;
  /** Where guests reach this service. */
  readonly baseUrl: string;
}

/** Whom to ask for a card: one of the two is there (decisions: section 6). */
export interface WantedCard {
  readonly reference: string | null;
  /** In place of the booking's own address. */
  readonly email: string | null;
  readonly lifeMs: number;
}

/** Asks a guest for a card by e-mail; a later request for the same booking supersedes this one once it is sent. */
export async function requestCard(
  work: RequestWork,
  propertyId: string,
  wanted: WantedCard,
  nowMs: number,
): Promise<Result<CardRequestRow, Failure>> {
  const { database } = work;
  const { property, booking } = await readPlace(work, propertyId, wanted.reference);
  if (!property || (wanted.reference !== null && !booking)) return err(bookingNotFound());
  const row: CardRequestRow = {
    id: timeOrderedUuid(),
    propertyId,
    bookingReference: wanted.reference,
    email: wanted.email ?? booking?.email ?? '',
    status: 'Open',
    expiresAtMs: nowMs + wanted.lifeMs,
    createdAtMs: nowMs,
  };
  const [inserted] = await database.batch('d1.cardRequest.save', [
    insertRequest(database.queries, row, MOST_REQUESTS, nowMs - HOUR_MS),
  ]);
  if (inserted.length === 0) return err(tooManyRequests());
  const ticket = { requestId: row.id, expiresAtMs: row.expiresAtMs };
  const link = await cardLink(work.keyring, work.baseUrl, ticket);
  const sent = await sendMail(work, await requestMail(row, property, booking, link));
  // Only a link that the guest got takes the place of those before; one that was not sent never was.
  await database.batch('d1.cardRequest.save', [
    sent.ok ? supersedeOthers(database.queries, row) : deleteRequest(database.queries, row.id),
  ]);
  return sent.ok ? ok(row) : sent;
}

async function readPlace(work: RequestWork, propertyId: string, reference: string | null) {
  const { database } = work;
  if (reference !== null) {
    const { property, state } = await readBooking(
      database,
      'd1.booking.read',
      propertyId,
      reference,
    );
    return { property, booking: state?.booking ?? null };
  }
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  return { property: property ?? null, booking: null };
}

function tooManyRequests(): Failure {
  return {
    code: 'rate_limited',
    detail: `The guest was asked ${MOST_REQUESTS} times within an hour.`,
    retryAfterSeconds: HOUR_MS / 1_000,
  };
}

/** Keeps the card of a request that belongs to no booking; completes the request with it, once. */
export async function keepRequestedCard(
  database: Database,
  card: CardRow,
): Promise<Result<CardRow, Failure>> {
  const { queries } = database;
  try {
    await database.batch('d1.card.save', [
      insertCard(queries, card),
      completeRequest(queries, card.requestId ?? ''),
    ]);
    return ok(card);
  } catch (error) {
    if (!wasUsed(error)) throw error;
    return err(requestUsed());
  }
}

/** A request for a card with what its page shows. */
export interface CardRequest {
  readonly request: CardRequestRow;
  readonly property: PropertyRow;
  readonly booking: BookingRow | null;
}

/** Reads a request with its property and booking; null when there is none. Two round trips. */
export async function readRequest(database: Database, id: string): Promise<CardRequest | null> {
  const [[request]] = await database.batch('d1.cardRequest.read', [
    selectRequest(database.queries, id),
  ]);
  if (!request) return null;
  const { propertyId, bookingReference } = request;
  if (bookingReference === null) {
    const [[property]] = await database.batch('d1.property.find', [
      selectProperty(database.queries, propertyId),
    ]);
    return property ? { request, property, booking: null } : null;
  }
  const read = await readBooking(database, 'd1.booking.read', propertyId, bookingReference);
  return read.state
    ? { request, property: read.state.property, booking: read.state.booking }
    : null;
}
