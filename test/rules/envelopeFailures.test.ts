import { describe, expect, test } from 'vitest';
import {
  tooManyNights,
  unknownCodesFailure,
  unknownRoomType,
} from '../../src/api/pms/rules/failures.ts';
import type { UnknownCode } from '../../src/records/rooms/rules.ts';

const room = (index: number, code: string): UnknownCode => ({ index, kind: 'RoomTypeCode', code });
const rate = (index: number, code: string): UnknownCode => ({ index, kind: 'RateTypeCode', code });

describe('unknown codes', () => {
  test('are named, with their places', () => {
    expect(unknownCodesFailure('InventoryData', [room(3, 'SUITE')])).toEqual({
      code: 'validation_failed',
      detail: 'Unknown RoomTypeCode: SUITE.',
      fields: [
        {
          field: 'InventoryData.3.RoomTypeCode',
          code: 'unknown_code',
          message: 'The PMS has not sent this code in its rooms and rates.',
        },
      ],
    });
  });

  test('of both kinds are told apart, each once, in their order', () => {
    const failure = unknownCodesFailure('RateData', [
      rate(0, 'X'),
      room(1, 'B'),
      rate(4, 'X'),
      room(5, 'A'),
    ]);
    expect(failure.detail).toBe('Unknown RoomTypeCode: B, A. Unknown RateTypeCode: X.');
    expect(failure.fields?.map(({ field }) => field)).toEqual([
      'RateData.0.RateTypeCode',
      'RateData.1.RoomTypeCode',
      'RateData.4.RateTypeCode',
      'RateData.5.RoomTypeCode',
    ]);
  });

  test('that are many are named only five, and listed only a hundred times', () => {
    const failure = unknownCodesFailure(
      'InventoryData',
      Array.from({ length: 300 }, (_, index) => room(index, `R${index}`)),
    );
    expect(failure.detail).toBe('Unknown RoomTypeCode: R0, R1, R2, R3, R4 and 295 more.');
    expect(failure.fields).toHaveLength(100);
  });

  test('are asked for as one that GetInventory names', () => {
    const failure = unknownRoomType('SUITE');
    expect(failure).toMatchObject({
      code: 'validation_failed',
      detail: 'Unknown pmsRoomTypeCode: SUITE.',
    });
    expect(failure.fields?.map(({ field, code }) => [field, code])).toEqual([
      ['pmsRoomTypeCode', 'unknown_code'],
    ]);
  });

  test('that are long are named by their first fifty characters', () => {
    const detail = `Unknown pmsRoomTypeCode: ${'R'.repeat(50)}.`;
    expect(unknownRoomType('R'.repeat(50)).detail).toBe(detail);
    expect(unknownRoomType('R'.repeat(51)).detail).toBe(detail);
  });

  test('that hold a card number are not repeated', () => {
    expect(unknownRoomType('x4539578763621486').detail).toBe(
      'Unknown pmsRoomTypeCode: (withheld).',
    );
  });
});

describe('more nights than one answer holds', () => {
  test('are the fault of the day of check-out, which tells how many there may be', () => {
    const failure = tooManyNights(5_000);
    expect(failure.code).toBe('validation_failed');
    expect(failure.fields).toMatchObject([{ field: 'checkOut', code: 'too_big' }]);
    expect(failure.fields?.[0]?.message).toContain('5000');
  });
});
