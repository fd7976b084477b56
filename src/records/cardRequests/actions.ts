import { v7 as timeOrderedUuid } from 'uuid';
import { type Failure, failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import type { MailOutcome } from '../../platform/mail/mail.ts';
import { type MailWork, sendMail } from '../../platform/mail/send.ts';
import type { BookingRow } from '../../schema/bookingTables.ts';
import type { CardRequestRow, CardRow } from '../../schema/cardTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { bookingNotFound } from '../bookings/rules.ts';
import { readBooking } from '../bookings/store.ts';
import { insertCard } from '../cards/store.ts';
import { cardLink } from '../links/linkToken.ts';
import { selectProperty } from '../properties/store.ts';
import { requestMail } from './message.ts';
import { MOST_REQUESTS, requestUsed } from './rules.ts';
import {
  completeRequest,
  deleteRequest,
  insertRequest,
  selectRequest,
  supersedeOthers,
  wasUsed,
} from './store.ts';

/** What a card request needs to be sent. */
export interface RequestWork extends Omit<MailWork, 'nowMs'> {
  readonly keyring: Keyring;
  /** The public URL of this service. */
  readonly baseUrl: string;
}

/** Whom to ask for a card: `reference`, `email` or both are given (interface: Card requests). */
export interface CardRequestCommand {
  readonly reference: string | null;
  /** Replaces the booking's e-mail address. */
  readonly email: string | null;
  readonly lifeMs: number;
  /** What is recorded together with the request. */
  readonly alsoSave?: (row: CardRequestRow) => Statement[];
}

/** Asks a guest for a card by e-mail. Once sent, it supersedes the booking's earlier requests. */
export async function requestCard(
  work: RequestWork,
  propertyId: string,
  command: CardRequestCommand,
  nowMs: number,
): Promise<Result<CardRequestRow, Failure>> {
  const { database } = work;
  const { property, booking } = await readPropertyAndBooking(work, propertyId, command.reference);
  if (!property || (command.reference !== null && !booking)) return err(bookingNotFound());
  const row: CardRequestRow = {
    id: timeOrderedUuid(),
    propertyId,
    bookingReference: command.reference,
    email: command.email ?? booking?.email ?? '',
    status: 'Open',
    expiresAtMs: nowMs + command.lifeMs,
    createdAtMs: nowMs,
  };
  const [inserted] = await database.batch('d1.cardRequest.save', [
    insertRequest(database.queries, row, MOST_REQUESTS, nowMs - HOUR_MS),
    ...(command.alsoSave?.(row) ?? []),
  ]);
  if (inserted.length === 0) return err(tooManyRequests());
  const claims = { requestId: row.id, expiresAtMs: row.expiresAtMs };
  const link = await cardLink(work.keyring, work.baseUrl, claims);
  const mail = await requestMail(row, property, booking, link);
  const unsent = whyUnsent(await sendMail({ ...work, nowMs }, mail));
  // Only a request that was sent supersedes earlier ones; one that could not be sent is deleted.
  await database.batch('d1.cardRequest.save', [
    unsent === null
      ? supersedeOthers(database.queries, row)
      : deleteRequest(database.queries, row.id),
  ]);
  return unsent === null ? ok(row) : err(unsent);
}

/** Why a request did not go out; null if it did. */
function whyUnsent(outcome: MailOutcome): Failure | null {
  switch (outcome.kind) {
    case 'sent':
      return null;
    case 'bounced':
      return failure('gateway_error', 'Mail to this address has bounced: it gets no more mail.');
    case 'failed':
      return failure('gateway_error', 'The e-mail service rejected the message.');
    case 'not-configured':
      return failure(
        'not_configured',
        'This deployment cannot send e-mail: EMAIL and MAIL_FROM are not set.',
      );
  }
}

async function readPropertyAndBooking(
  work: RequestWork,
  propertyId: string,
  reference: string | null,
) {
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
    detail: `This guest already got ${MOST_REQUESTS} card requests within an hour. Try again later.`,
    retryAfterSeconds: HOUR_MS / 1_000,
  };
}

/** Saves the card of a request without a booking and completes the request. A request takes one card. */
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

/** A card request with the property and booking that its page shows. */
export interface CardRequest {
  readonly request: CardRequestRow;
  readonly property: PropertyRow;
  readonly booking: BookingRow | null;
}

/** Reads a request with its property and booking; null if it does not exist. Two round trips. */
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
