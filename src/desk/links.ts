import { v5 as uuidOf } from 'uuid';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { HOUR_MS } from '../core/time.ts';
import { notifyMailer } from '../mails/stub.ts';
import { type CallerKey, KEY_REUSED } from '../operation/idempotency.ts';
import {
  answerOf,
  type KeyName,
  keepAnswer,
  keyIsTaken,
  selectKey,
  takeKeyOfRequest,
} from '../operation/idempotencyStore.ts';
import { replay, saveSecret } from '../operation/secretAnswers.ts';
import { fingerprint, sameFingerprint } from '../platform/crypto/fingerprint.ts';
import type { Statement } from '../platform/db/database.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { type BookingState, bookingNotFound } from '../records/bookings/rules.ts';
import { readBooking } from '../records/bookings/store.ts';
import { requestCard } from '../records/cardRequests/actions.ts';
import { appendEntry } from '../records/history/append.ts';
import { type BookingLinkClaims, bookingLink, LINK_LIFE_MS } from '../records/links/linkToken.ts';
import { insertMail } from '../records/mails/queue.ts';
import { type ReachWork, whyUnreachable } from '../records/mails/reach.ts';
import type { BookingRow } from '../schema/bookingTables.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import type { DeskOrder, DeskWork, Done } from './actions.ts';
import { words } from './words.ts';

/** Asks the booking's guest for a card by mail. However often its form is sent, one mail goes out. */
export async function askForCard(work: DeskWork, { key }: DeskOrder): Promise<Result<Done>> {
  const { database, property, reference } = work;
  const state = await openBooking(work);
  if (!state.ok) return state;
  const nowMs = propertyNow(property);
  const caller = callerOf(work, 'request-card', key);
  const name: KeyName = { propertyId: property.id, operation: 'request-card', key: caller.key };
  const taken = {
    ...name,
    fingerprint: await fingerprint(work.keyring, caller.request),
    requestId: work.requestId,
    commandReference: null,
    answer: null,
    createdAtMs: nowMs,
  };
  try {
    const asked = await requestCard(
      work,
      property.id,
      {
        reference,
        email: null,
        lifeMs: LINK_LIFE_MS,
        alsoSave: ({ id }) => [takeKeyOfRequest(taken, id)],
      },
      nowMs,
    );
    if (asked.ok) await notifyMailer(work.env, property.id);
    const answer: Result<Done> = asked.ok ? ok({ link: null }) : asked;
    await database.batch('d1.audit.save', [
      keepAnswer(name, null, answer),
      ...(asked.ok ? noteOf(work, 'card requested') : []),
    ]);
    return answer;
  } catch (error) {
    if (!keyIsTaken(error)) throw error;
    return firstAnswer(work, name, caller);
  }
}

/** What the form was answered first. While the first request is under way, its mail is queued. */
async function firstAnswer(
  { database, keyring }: DeskWork,
  name: KeyName,
  { request }: CallerKey,
): Promise<Result<Done>> {
  const [[row]] = await database.batch('d1.answer.find', [selectKey(name)]);
  if (!row) throw new Error('a taken idempotency key is missing');
  if (!(await sameFingerprint(keyring, row.fingerprint, request))) return err(KEY_REUSED);
  return (answerOf(row) as Result<Done> | null) ?? ok({ link: null });
}

/** Until when a link works, or a request for a card, that is made now. */
export function linkEndMs(property: PropertyRow): number {
  return propertyNow(property) + LINK_LIFE_MS;
}

/** Makes a link to the guest's payment page. The same form gives the same link. */
export async function makeLink(work: DeskWork, { key }: DeskOrder): Promise<Result<Done>> {
  const { baseUrl, keyring, property } = work;
  const state = await openBooking(work);
  if (!state.ok) return state;
  const link = await bookingLink(keyring, baseUrl, state.value.booking, linkEndMs(property));
  const save = noteOf(work, 'made');
  const made = { span: 'd1.audit.save', save, answer: { link } } as const;
  return (await saveSecret<Done>(secretOf(work, 'make-link', key), made)).answer;
}

/** Mails the booking's guest a link to their payment page. However often its form is sent, one mail goes out. */
export async function mailLink(work: DeskWork, { key }: DeskOrder): Promise<Result<Done>> {
  const { property } = work;
  const state = await openBooking(work);
  if (!state.ok) return state;
  const { booking } = state.value;
  const unreachable = await whyUnreachable(work, booking.email);
  if (unreachable) return err(unreachable);
  const save = [queueLink(booking, key, propertyNow(property)), ...noteOf(work, 'mailed')] as const;
  const sent = { span: 'd1.audit.save', save, answer: { link: null } } as const;
  const { answer } = await saveSecret<Done>(secretOf(work, 'mail-link', key), sent);
  if (answer.ok) await notifyMailer(work.env, property.id);
  return answer;
}

/**
 * Mails a new link to the address of a booking whose link has expired: at most once an hour, and not where the link was
 * revoked or the booking cancelled. The one who asks does not learn which it was (interface: Guest pages). False if there
 * is no such booking.
 */
export async function renewLink(
  work: ReachWork & Pick<DeskWork, 'env'>,
  { linkVersion, propertyId, reference }: BookingLinkClaims,
): Promise<boolean> {
  const { database, env } = work;
  const { property, state } = await readBooking(database, 'd1.booking.read', propertyId, reference);
  if (!property || state === null) return false;
  const { booking } = state;
  const isClosed = booking.linkVersion !== linkVersion || booking.status === 'cancelled';
  if (isClosed || (await whyUnreachable(work, booking.email))) return true;
  const nowMs = propertyNow(property);
  const hour = Math.floor(nowMs / HOUR_MS);
  const id = uuidOf(JSON.stringify([propertyId, reference, hour]), uuidOf.URL);
  await database.batch('d1.mail.save', [queueLink(booking, id, nowMs)]);
  await notifyMailer(env, propertyId);
  return true;
}

/** Queues the mail with a link to a booking's payment page, once for each UUID. The link is made when it is sent. */
function queueLink({ propertyId, reference }: BookingRow, uuid: string, atMs: number) {
  return insertMail({
    id: `${uuid}-paymentLink`,
    propertyId,
    bookingReference: reference,
    kind: 'paymentLink',
    eventType: null,
    subjectKind: 'booking',
    subjectId: reference,
    atMs,
  });
}

/** The link that a person made with a form, for a day; it fails with `busy` later. */
export async function readLink(work: DeskWork, key: string): Promise<Result<Done>> {
  const secret = secretOf(work, 'make-link', key);
  return (await replay<Done>(secret, secret.caller)).answer;
}

function secretOf(work: DeskWork, operation: LinkOperation, key: string) {
  const { database, keyring, person, property, requestId } = work;
  return {
    database,
    keyring,
    clientId: person.id,
    propertyId: property.id,
    requestId,
    // Kept answers end in real time, whatever the property's clock shows.
    nowMs: Date.now(),
    caller: callerOf(work, operation, key),
  };
}

/** The booking, unless it is cancelled: its guest has nothing to pay any more. */
async function openBooking(work: DeskWork): Promise<Result<BookingState>> {
  const { database, property, reference } = work;
  const { state } = await readBooking(database, 'd1.booking.read', property.id, reference);
  if (state === null) return err(bookingNotFound());
  return state.booking.status === 'cancelled'
    ? refuse('invalid_state', words.refusals.cancelled)
    : ok(state);
}

type LinkOperation = 'request-card' | 'make-link' | 'mail-link';

function callerOf(
  { property, reference }: DeskWork,
  operation: LinkOperation,
  key: string,
): CallerKey {
  return { operation, key: `desk-${key}`, request: { property: property.id, reference } };
}

/** The entry of the history that says who let the guest have a link. */
function noteOf(
  { person, property, reference }: DeskWork,
  to: 'made' | 'mailed' | 'card requested',
): [Statement, ...Statement[]] {
  return appendEntry({
    propertyId: property.id,
    bookingReference: reference,
    atMs: propertyNow(property),
    actor: person.id,
    actorName: person.name,
    subject: { kind: 'links', id: '' },
    to,
  });
}
