import { holdsCardNumber } from '../../../core/cardNumbers.ts';
import { type Failure, type FieldIssue, fieldFailure } from '../../../core/failure.ts';
import type { UnknownCode } from '../../../records/rooms/rules.ts';

export const MOST_ISSUES = 100;

/** The most unknown codes of a kind that a detail names, and the most characters of each. */
const MOST_NAMED = 5;
const LONGEST_NAMED = 50;

/** Ranges of a message name codes that the property's catalogue lacks. `list` is the member that holds the ranges. */
export function unknownCodesFailure(list: string, unknown: readonly UnknownCode[]): Failure {
  const sentences = (['RoomTypeCode', 'RateTypeCode'] as const).flatMap((kind) => {
    const codes = new Set(unknown.filter((it) => it.kind === kind).map(({ code }) => code));
    return codes.size === 0 ? [] : [unknownSentence(kind, [...codes])];
  });
  return {
    code: 'validation_failed',
    detail: sentences.join(' '),
    fields: unknown
      .slice(0, MOST_ISSUES)
      .map(({ index, kind }) => unknownField(`${list}.${index}.${kind}`)),
  };
}

/** GetInventory names a room type that the property's catalogue lacks. */
export function unknownRoomType(code: string): Failure {
  return {
    code: 'validation_failed',
    detail: unknownSentence('pmsRoomTypeCode', [code]),
    fields: [unknownField('pmsRoomTypeCode')],
  };
}

/** GetInventory asks for more nights than one answer may hold. */
export function tooManyNights(most: number): Failure {
  const message = `Ask for fewer days: an answer holds at most ${most} nights, counted for each rate.`;
  return fieldFailure([{ field: 'checkOut', code: 'too_big', message }]);
}

function unknownField(field: string): FieldIssue {
  return {
    field,
    code: 'unknown_code',
    message: 'The PMS has not sent this code in its rooms and rates.',
  };
}

function unknownSentence(kind: string, codes: readonly string[]): string {
  const named = codes.slice(0, MOST_NAMED).map(nameOf);
  const others = codes.length - named.length;
  return `Unknown ${kind}: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

/** The code for the detail. A code that contains a card number is withheld. */
function nameOf(code: string): string {
  return holdsCardNumber(code) ? '(withheld)' : code.slice(0, LONGEST_NAMED);
}
