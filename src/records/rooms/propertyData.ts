import { z } from 'zod';
import { cardFacts, holdsCardNumber } from '../../core/cardNumbers.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { PmsRoomType } from './rules.ts';

const MOST_ROOM_TYPES = 500;

export const MOST_RATE_TYPES = 200;

/** D1's limit for a value is 2,000,000 bytes. The rest is for room types that the PMS no longer lists. */
const MOST_BYTES = 1_000_000;

/** A code from a PMS: text or an integer. The service stores it, so it must not be a card number. */
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
      .refine(haveDistinctCodes, 'two rates have the same RateTypeCode'),
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
    .refine(haveDistinctCodes, 'two room types have the same RoomTypeCode')
    .refine(
      (roomTypes) => new TextEncoder().encode(JSON.stringify(roomTypes)).length < MOST_BYTES,
      'too large to store',
    ),
});

/**
 * Reads the `PropertyData` of a PMS's reply to `GetPropertyInfo` (pms: GetPropertyInfo). The error names the path of
 * the first fault and repeats no value.
 */
export function readPropertyData(value: unknown): Result<PmsRoomType[], string> {
  const read = propertyData.safeParse(value);
  if (read.success) return ok(read.data.RoomTypes);
  const [first] = read.error.issues;
  const path = ['PropertyData', ...(first?.path ?? [])].map(String).join('.');
  return err(`${path}: ${first?.message ?? 'not readable'}`);
}

function haveDistinctCodes(types: readonly { readonly code: string }[]): boolean {
  return new Set(types.map((type) => type.code)).size === types.length;
}
