import { holdsCardNumber } from '../core/cardNumbers.ts';
import { type Failure, type FieldFault, fieldFailure } from '../core/failure.ts';
import type { UnknownCode } from '../rooms/rules.ts';

/** How many faults of one message are listed. */
export const MOST_FAULTS = 100;

/** How many unknown codes of a kind are named, and how much of each. */
const MOST_NAMED = 5;
const LONGEST_NAMED = 50;

/** Ranges of a message name codes that are not in the property's catalogue; `list` is the member that holds them. */
export function unknownCodesFailure(list: string, unknown: readonly UnknownCode[]): Failure {
  const sentences = (['RoomTypeCode', 'RateTypeCode'] as const).flatMap((kind) => {
    const codes = new Set(unknown.filter((it) => it.kind === kind).map(({ code }) => code));
    return codes.size === 0 ? [] : [unknownSentence(kind, [...codes])];
  });
  return {
    code: 'validation_failed',
    detail: sentences.join(' '),
    fields: unknown
      .slice(0, MOST_FAULTS)
      .map(({ index, kind }) => unknownField(`${list}.${index}.${kind}`)),
  };
}

/** GetInventory asks for a room type that is not in the property's catalogue. */
export function unknownRoomType(code: string): Failure {
  return {
    code: 'validation_failed',
    detail: unknownSentence('pmsRoomTypeCode', [code]),
    fields: [unknownField('pmsRoomTypeCode')],
  };
}

/** GetInventory asks for more than one answer should hold. */
export function tooManyNights(most: number): Failure {
  const message = `At most ${most} nights of all rates together: ask for fewer days.`;
  return fieldFailure([{ field: 'checkOut', code: 'too_big', message }]);
}

function unknownField(field: string): FieldFault {
  return { field, code: 'unknown_code', message: 'The PMS has told of no such code.' };
}

function unknownSentence(kind: string, codes: readonly string[]): string {
  const named = codes.slice(0, MOST_NAMED).map(nameOf);
  const others = codes.length - named.length;
  return `Unknown ${kind}: ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

/** A code as the interface wants it named, unless a card number is glued into it. */
function nameOf(code: string): string {
  return holdsCardNumber(code) ? '(withheld)' : code.slice(0, LONGEST_NAMED);
}
