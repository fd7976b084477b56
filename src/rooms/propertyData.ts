import { z } from 'zod';
import { cardFacts, holdsCardNumber } from '../core/cardNumbers.ts';
import { err, ok, type Result } from '../core/result.ts';
import type { ToldRoomType } from './rules.ts';

const MOST_ROOM_TYPES = 500;

/** The most rates that one room type is sold at. */
export const MOST_RATE_TYPES = 200;

/** D1 takes 2,000,000 bytes in one value; what is kept of room types that are gone stands beside these. */
const MOST_BYTES = 1_000_000;

/** A code as a PMS writes it: as text, or as a whole number. It is stored, so it may not be a card number. */
const code = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(
    z
      .string()
      .min(1)
      .max(50, { abort: true })
      .refine((text) => text.isWellFormed() && cardFacts(text) === null),
  );

const name = z
  .string()
  .min(1)
  .max(200, { abort: true })
  .refine((text) => text.isWellFormed() && !holdsCardNumber(text));

const rateType = z
  .object({ RateTypeCode: code, RateTypeName: name })
  .transform(({ RateTypeCode, RateTypeName }) => ({ code: RateTypeCode, name: RateTypeName }));

const roomType = z
  .object({
    RoomTypeCode: code,
    RoomTypeName: name,
    RateTypes: z
      .array(rateType)
      .max(MOST_RATE_TYPES, { abort: true })
      .refine(haveDistinctCodes, 'a RateTypeCode stands twice'),
  })
  .transform(({ RoomTypeCode, RoomTypeName, RateTypes }) => ({
    code: RoomTypeCode,
    name: RoomTypeName,
    rateTypes: RateTypes,
  }));

const propertyData = z.object({
  RoomTypes: z
    .array(roomType)
    .max(MOST_ROOM_TYPES, { abort: true })
    .refine(haveDistinctCodes, 'a RoomTypeCode stands twice')
    .refine(
      (roomTypes) => new TextEncoder().encode(JSON.stringify(roomTypes)).length < MOST_BYTES,
      'too much to keep',
    ),
});

/**
 * Reads the `PropertyData` of a PMS's reply to `GetPropertyInfo` (decisions: section 8). The error is a sentence that
 * says where the first fault is, and repeats no value.
 */
export function readPropertyData(value: unknown): Result<ToldRoomType[], string> {
  const read = propertyData.safeParse(value);
  if (read.success) return ok(read.data.RoomTypes);
  const [first] = read.error.issues;
  const place = ['PropertyData', ...(first?.path ?? [])].map(String).join('.');
  return err(`${place}: ${first?.message ?? 'not readable'}`);
}

function haveDistinctCodes(types: readonly { readonly code: string }[]): boolean {
  return new Set(types.map((type) => type.code)).size === types.length;
}
