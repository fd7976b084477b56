/** Rooms and rates for tests, as if the property's PMS had told of them, and the messages that a PMS sends of them. */
import { Database } from '../../src/platform/db/database.ts';
import { Trace } from '../../src/platform/trace.ts';
import { storeRooms } from '../../src/records/rooms/actions.ts';
import type { PmsRoomType } from '../../src/records/rooms/rules.ts';
import type { RoomType } from '../../src/schema/roomTables.ts';
import type { NightBody } from './answers.ts';
import { type Answer, type CallOptions, call, testEnv } from './api.ts';

/** A hotel with two kinds of rooms, one of them at two rates. */
export const HOTEL: readonly PmsRoomType[] = [
  {
    code: 'DLX',
    name: 'Deluxe Room',
    rateTypes: [
      { code: 'BAR', name: 'Best Available' },
      { code: 'NRF', name: 'Non-refundable' },
    ],
  },
  { code: 'STD', name: 'Standard Room', rateTypes: [{ code: 'BAR', name: 'Best Available' }] },
];

/** Stores rooms and rates for a property. */
export async function giveRooms(
  propertyId = 'demo',
  told: readonly PmsRoomType[] = HOTEL,
): Promise<readonly RoomType[]> {
  return storeRooms(new Database(testEnv.DB, new Trace()), propertyId, told, Date.now());
}

type Members = Readonly<Record<string, unknown>>;

/** Pushes `SetInventory`. */
export function setInventory(InventoryData: unknown, options?: CallOptions): Promise<Answer> {
  return send('/rooms/v1/push', 'SetInventory', { InventoryData }, options);
}

/** Pushes `SetRates`. */
export function setRates(RateData: unknown, options?: CallOptions): Promise<Answer> {
  return send('/rates/v1/push', 'SetRates', { RateData }, options);
}

/** Pushes `SetRateRestrictions`. */
export function setRestrictions(
  RateRestrictionData: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = '/rates/v1/push-restrictions';
  return send(path, 'SetRateRestrictions', { RateRestrictionData }, options);
}

/** Pushes `SetRoomRestrictions`. */
export function setRoomRestrictions(
  RoomRestrictionData: unknown,
  options?: CallOptions,
): Promise<Answer> {
  const path = '/rooms/v1/push-restrictions';
  return send(path, 'SetRoomRestrictions', { RoomRestrictionData }, options);
}

/** Asks `GetInventory`, by default for three nights of the first room type. */
export function getInventory(change: Members = {}, options?: CallOptions): Promise<Answer> {
  const stay = { pmsRoomTypeCode: 'DLX', checkIn: day(0), checkOut: day(3), adults: 2 };
  return send('/rooms/v1/get-inventory', 'GetInventory', { ...stay, ...change }, options);
}

function send(path: string, MessageType: string, members: Members, options?: CallOptions) {
  return call(path, { MessageType, MessageID: 'm', ...members }, options);
}

/** What {@link getInventory} answers, by rate. */
export async function nights(
  change: Members = {},
  options?: CallOptions,
): Promise<Record<string, NightBody[]>> {
  return (await getInventory(change, options)).json.InventoryData;
}

/** The day so many days after the first of January 2027. */
export function day(offset: number): string {
  return new Date(Date.UTC(2027, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
}

/** A range of `SetInventory`. */
export function free(from: number, to: number, Availability: number, RoomTypeCode = 'DLX') {
  return { RoomTypeCode, StartDate: day(from), EndDate: day(to), Availability };
}

/** A range of `SetRates`. */
export function priced(from: number, to: number, RateValue: unknown, RateTypeCode = 'BAR') {
  return { ...restricted(from, to, { RateValue }), RateTypeCode };
}

/** A range of `SetRateRestrictions`. */
export function restricted<Told extends Members>(from: number, to: number, told: Told) {
  const place = { RoomTypeCode: 'DLX', RateTypeCode: 'BAR' };
  return { ...place, StartDate: day(from), EndDate: day(to), ...told };
}

/** A range of `SetRoomRestrictions`. */
export function roomRestricted(from: number, to: number, told: Members = {}, RoomTypeCode = 'DLX') {
  return { RoomTypeCode, StartDate: day(from), EndDate: day(to), ...told };
}

/** How many rooms of a kind are free, by day, as D1 has it. */
export async function availability(
  propertyId = 'demo',
  roomTypeCode = 'DLX',
): Promise<Record<string, number>> {
  const { results } = await testEnv.DB.prepare(
    'SELECT day, available FROM inventory WHERE property_id = ? AND room_type_code = ? ORDER BY day',
  )
    .bind(propertyId, roomTypeCode)
    .all<{ day: string; available: number }>();
  return Object.fromEntries(results.map((row) => [row.day, row.available]));
}

/** Forgets everything that was pushed. */
export async function forgetNights(): Promise<void> {
  await testEnv.DB.batch(
    ['inventory', 'nightly_rates', 'room_restrictions'].map((table) =>
      testEnv.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
}

/** The faulty fields of an answer, with their codes. */
export function faultsOf({ json }: Answer): string[] {
  return json.errors.map(({ field, code }) => `${field}: ${code}`);
}
