import { daysBetween } from '../../core/days.ts';

/** A range of nights for a statement: its first and last day, its room type, and the values of its columns. */
export type RangeRow = readonly [
  firstDay: string,
  lastDay: string,
  roomTypeCode: string,
  ...columns: (string | number | boolean | null)[],
];

/** The longest list of one statement. D1 takes 2,000,000 bytes in a parameter, and a character has at most three. */
const MOST_CHARACTERS = 600_000;

/** The most nights of one statement, so that what SQLite sorts at a time stays small. */
const MOST_NIGHTS = 50_000;

/**
 * The ranges as JSON lists, each for a statement of its own, in their order. One message's statements thus keep to D1's
 * limits, and the later ones win where ranges overlap.
 */
export function rangeLists(rows: readonly RangeRow[]): string[] {
  const lists: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  let nights = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    const count = daysBetween(row[0], row[1]) + 1;
    const fits = characters + text.length < MOST_CHARACTERS && nights + count <= MOST_NIGHTS;
    if (!fits && texts.length > 0) {
      lists.push(`[${texts.join()}]`);
      [texts, characters, nights] = [[], 0, 0];
    }
    texts.push(text);
    characters += text.length + 1;
    nights += count;
  }
  if (texts.length > 0) lists.push(`[${texts.join()}]`);
  return lists;
}
