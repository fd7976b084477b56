import type { Config } from '../config.ts';
import { type Failure, failure } from '../core/failure.ts';
import { err, ok, type Result } from '../core/result.ts';
import { offsetTimestamp } from '../core/time.ts';
import type { Database } from '../db/database.ts';
import type { PropertyRow } from '../db/propertyTables.ts';
import type { Crossings } from '../io/crossings.ts';
import { selectProperty } from '../properties/store.ts';
import { storeRooms } from '../rooms/actions.ts';
import { readPropertyData } from '../rooms/propertyData.ts';
import { pmsCredentials } from './credentials.ts';
import { jsonBody } from './envelope.ts';
import { readReply } from './reply.ts';
import { sendToPms } from './send.ts';

/** What asking a PMS takes. */
export interface Asking {
  readonly database: Database;
  readonly crossings: Crossings;
  readonly config: Config;
  now(): number;
}

/** What a PMS answered to a ping (interface: 4.7), and how long that took. */
export interface Pong {
  readonly Status: 'Success';
  readonly MessageID: string;
  readonly EchoData: string;
  readonly milliseconds: number;
}

/** Sends a `Ping` and checks the echo. Also says where the PMS is, so that its dispatcher can be told that it is up. */
export async function pingPms(
  asking: Asking,
  propertyId: string,
): Promise<Result<{ pong: Pong; pmsUrl: string }, Failure>> {
  const EchoData = crypto.randomUUID();
  const startedMs = asking.now();
  const asked = await ask(asking, propertyId, 'Ping', { EchoData });
  if (!asked.ok) return asked;
  const { members, messageId: MessageID, pmsUrl } = asked.value;
  if (members['EchoData'] !== EchoData) return err(wrongAnswer('the reply has another EchoData'));
  const milliseconds = asking.now() - startedMs;
  return ok({ pong: { Status: 'Success', MessageID, EchoData, milliseconds }, pmsUrl });
}

/** How many rooms and rates a PMS told of. */
export interface RoomsAndRates {
  readonly roomTypes: number;
  readonly rateTypes: number;
}

/** Asks a PMS for its rooms and rates by `GetPropertyInfo`, and stores them (decisions: section 9). */
export async function getRoomsAndRates(
  asking: Asking,
  propertyId: string,
): Promise<Result<RoomsAndRates, Failure>> {
  const asked = await ask(asking, propertyId, 'GetPropertyInfo', {});
  if (!asked.ok) return asked;
  const told = readPropertyData(asked.value.members['PropertyData']);
  if (!told.ok) return err(wrongAnswer(told.error));
  const stored = await storeRooms(asking.database, propertyId, told.value, asking.now());
  const rateTypes = stored.reduce((sum, room) => sum + room.rateTypes.length, 0);
  return ok({ roomTypes: stored.length, rateTypes });
}

interface Asked {
  readonly members: Readonly<Record<string, unknown>>;
  readonly messageId: string;
  readonly pmsUrl: string;
}

async function ask(
  asking: Asking,
  propertyId: string,
  messageType: string,
  members: Record<string, unknown>,
): Promise<Result<Asked, Failure>> {
  const { database, crossings, config } = asking;
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, propertyId),
  ]);
  if (!property) return err(failure('property_not_found', 'There is no such property.'));
  const to = await reachable(config, property);
  if (!to.ok) return to;
  const { pmsUrl, credentials } = to.value;
  const messageId = crypto.randomUUID();
  const timeStamp = offsetTimestamp(asking.now(), property.timeZone);
  const body = jsonBody({ messageId, timeStamp, messageType, members }, credentials);
  const exchange = await sendToPms(crossings, { url: pmsUrl, local: config.local }, body);
  if (exchange.kind === 'unreachable') return err(wrongAnswer(exchange.reason));
  const reply = readReply(exchange.answer, 'JSON', messageId);
  return reply.ok ? ok({ members: reply.value, messageId, pmsUrl }) : err(wrongAnswer(reply.error));
}

async function reachable({ keyring }: Config, property: PropertyRow) {
  if (property.pmsUrl === null) {
    return err(failure('invalid_state', 'The property has no PMS.'));
  }
  const credentials = await pmsCredentials(keyring, property);
  return credentials === null
    ? err(failure('invalid_state', 'The PMS password has to be put again: its key is gone.'))
    : ok({ pmsUrl: property.pmsUrl, credentials });
}

function wrongAnswer(reason: string): Failure {
  return failure('gateway_error', `The PMS did not answer rightly: ${reason}.`);
}
