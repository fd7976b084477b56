import { type Failure, failure } from '../core/failure.ts';
import { propertyTime } from '../core/propertyClock.ts';
import { err, ok, type Result } from '../core/result.ts';
import { offsetTimestamp } from '../core/time.ts';
import { post } from '../delivery/post.ts';
import type { Config } from '../platform/config.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import { unseal } from '../platform/crypto/seal.ts';
import type { Database } from '../platform/db/database.ts';
import type { Trace } from '../platform/trace.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { selectProperty } from '../records/properties/store.ts';
import { storeRooms } from '../records/rooms/actions.ts';
import { readPropertyData } from '../records/rooms/propertyData.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { jsonBody, type PmsCredentials, posted } from './rules/envelope.ts';
import { readReply } from './rules/reply.ts';

export interface PmsRequestContext {
  readonly database: Database;
  readonly trace: Trace;
  readonly config: Config;
  now(): number;
}

/** A PMS's reply to a ping (pms: Ping), with the time it took. */
export interface Pong {
  readonly Status: 'Success';
  readonly MessageID: string;
  readonly EchoData: string;
  readonly milliseconds: number;
}

/** Sends a `Ping` and checks the echo. Returns the PMS's address too, so that the caller can notify its dispatcher. */
export async function pingPms(
  context: PmsRequestContext,
  propertyId: string,
): Promise<Result<{ pong: Pong; pmsUrl: string }>> {
  const EchoData = crypto.randomUUID();
  const startedMs = context.now();
  const replied = await requestFromPms(context, propertyId, 'Ping', { EchoData });
  if (!replied.ok) return replied;
  const { members, messageId: MessageID, pmsUrl } = replied.value;
  if (members['EchoData'] !== EchoData) return err(invalidReply('the reply has another EchoData'));
  const milliseconds = context.now() - startedMs;
  return ok({ pong: { Status: 'Success', MessageID, EchoData, milliseconds }, pmsUrl });
}

/** Fetches a PMS's rooms and rates with `GetPropertyInfo`, and stores them (pms: GetPropertyInfo). Returns how many. */
export async function getRoomsAndRates(
  context: PmsRequestContext,
  propertyId: string,
): Promise<Result<{ readonly roomTypes: number; readonly rateTypes: number }>> {
  const replied = await requestFromPms(context, propertyId, 'GetPropertyInfo', {});
  if (!replied.ok) return replied;
  const rooms = readPropertyData(replied.value.members['PropertyData']);
  if (!rooms.ok) return err(invalidReply(rooms.error));
  const stored = await storeRooms(context.database, propertyId, rooms.value, replied.value.atMs);
  const rateTypes = stored.reduce((sum, room) => sum + room.rateTypes.length, 0);
  return ok({ roomTypes: stored.length, rateTypes });
}

interface PmsReply {
  readonly members: Readonly<Record<string, unknown>>;
  readonly messageId: string;
  readonly pmsUrl: string;
  /** When it was asked, by the property's clock. */
  readonly atMs: number;
}

async function requestFromPms(
  context: PmsRequestContext,
  propertyId: string,
  messageType: string,
  members: Record<string, unknown>,
): Promise<Result<PmsReply>> {
  const { database, trace, config } = context;
  const [[property]] = await database.batch('d1.property.find', [selectProperty(propertyId)]);
  if (!property) return err(propertyNotFound());
  const { pmsUrl } = property;
  if (pmsUrl === null) return err(NO_PMS);
  const credentials = await pmsCredentials(config.keyring, property);
  if (credentials === null) return err(NO_PASSWORD);
  const messageId = crypto.randomUUID();
  const atMs = propertyTime(property, context.now());
  const timeStamp = offsetTimestamp(atMs, property.timeZone);
  const body = jsonBody({ messageId, timeStamp, messageType, members }, credentials);
  const sending = { trace, local: config.local };
  const exchange = await post(sending, 'pms.send', pmsUrl, posted(body));
  if (exchange.kind === 'unreachable') return err(requestFailed(pmsUrl, exchange.reason));
  const reply = readReply(exchange.answer, 'JSON', messageId);
  return reply.ok
    ? ok({ members: reply.value, messageId, pmsUrl, atMs })
    : err(invalidReply(reply.error));
}

const NO_PMS = failure('invalid_state', 'The property has no PMS.');

const NO_PASSWORD = failure(
  'invalid_state',
  'The stored PMS password can no longer be decrypted; set it again.',
);

/** Names the address, because an administrator may have put another one than the PMS's. */
function requestFailed(pmsUrl: string, reason: string): Failure {
  const { host, protocol } = new URL(pmsUrl);
  // Only a local start allows a PMS without TLS.
  const hint = protocol === 'http:' ? ' `npm run pms` starts a PMS for tests.' : '';
  return failure('gateway_error', `The request to the PMS at ${host} failed: ${reason}.${hint}`);
}

function invalidReply(reason: string): Failure {
  return failure('gateway_error', `Invalid reply from the PMS: ${reason}.`);
}

/** A property's PMS credentials; null if they are not set, or the key that encrypted them no longer exists. */
export async function pmsCredentials(
  keyring: Keyring,
  property: Pick<PropertyRow, 'id' | 'pmsUsername' | 'pmsPasswordSealed'>,
): Promise<PmsCredentials | null> {
  const { id, pmsUsername: username, pmsPasswordSealed: sealed } = property;
  if (username === null || sealed === null) return null;
  const password = await unseal(keyring, 'pms-credentials', id, sealed);
  return password === null ? null : { username, password };
}
