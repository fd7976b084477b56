import { type IsoDate, parseDayMonthYear, parseIsoDate } from '../../core/time.ts';
import { typedAmount } from '../../core/typedAmount.ts';
import { UnreadableText } from '../../core/unreadable.ts';
import { eachRow } from '../../platform/csv.ts';
import { descriptionOf, MOST_LINES, type StatementLine } from './rules/lines.ts';

/** Which columns of a bank's CSV file say what, by their headers. */
export interface CsvColumns {
  readonly date: string;
  readonly amount: string;
  readonly description: string;
  /** Found out without it. */
  readonly delimiter?: string | undefined;
  /** Of YYYY, MM and DD; without it, `YYYY-MM-DD` or `DD-MM-YYYY`. */
  readonly dateFormat?: string | undefined;
}

/** Where a file's columns are. */
interface Places {
  readonly date: number;
  readonly amount: number;
  readonly description: number;
}

/** How many rows may stand before the one with the headers. */
const MOST_BEFORE_HEADERS = 50;

/**
 * Reads a bank's CSV file row by row. Banks write titles before the headers, and sums without a day after the lines. Throws
 * {@link UnreadableText}, which names the row.
 */
export async function readCsv(
  text: string,
  columns: CsvColumns,
  currency: string,
): Promise<StatementLine[]> {
  const readDay = dayReader(columns.dateFormat);
  const lines: StatementLine[] = [];
  let places: Places | null = null;
  let rows = 0;
  const readRow = (cells: readonly string[]) => {
    rows += 1;
    if (places === null) {
      places = placesOf(cells, columns);
      if (places === null && rows > MOST_BEFORE_HEADERS) refuse(noColumns(columns));
      return;
    }
    const line = lineOf(cells, places, { currency, readDay, row: rows });
    if (line === null) return;
    lines.push(line);
    if (lines.length > MOST_LINES) refuse(`A statement may have at most ${MOST_LINES} lines.`);
  };
  await eachRow(text, columns.delimiter, readRow);
  if (places === null) refuse(noColumns(columns));
  return lines.filter(({ amountMinor }) => amountMinor !== 0);
}

function refuse(message: string): never {
  throw new UnreadableText(message);
}

function noColumns({ amount, date, description }: CsvColumns): string {
  return `No row has the headers ${[date, amount, description].join(', ')}.`;
}

/** The places of the columns in the row of headers; null for any other row. Case and space around do not count. */
function placesOf(cells: readonly string[], columns: CsvColumns): Places | null {
  const headers = cells.map(plain);
  const [date = -1, amount = -1, description = -1] = [
    columns.date,
    columns.amount,
    columns.description,
  ].map((name) => headers.indexOf(plain(name)));
  return date < 0 || amount < 0 || description < 0 ? null : { date, amount, description };
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

interface Reading {
  readonly currency: string;
  readonly readDay: (text: string) => IsoDate | null;
  readonly row: number;
}

/** A row's line; null for a row without day and amount. */
function lineOf(
  cells: readonly string[],
  places: Places,
  { currency, readDay, row }: Reading,
): StatementLine | null {
  const [day = '', amount = ''] = [cells[places.date], cells[places.amount]].map((cell) =>
    cell?.trim(),
  );
  if (day === '' && amount === '') return null;
  const date = readDay(day);
  if (date === null) refuse(`Row ${row} has no day in the format.`);
  const amountMinor = amountOf(amount, currency);
  if (amountMinor === null) refuse(`Row ${row} has no amount of ${currency}.`);
  const description = descriptionOf([cells[places.description] ?? '']);
  return { date, currency, amountMinor, description, reference: null };
}

/** An amount with either decimal sign. A bank writes all decimals, so three of them are no thousands. */
function amountOf(text: string, currency: string): number | null {
  const read = typedAmount(text, currency, Number.MAX_SAFE_INTEGER);
  if (read.ok) return read.value;
  return read.error.kind === 'ambiguous' ? read.error.decimalMinor : null;
}

const PARTS = ['YYYY', 'MM', 'DD'] as const;

/** Whether a text is a format of days: the three parts once each, and signs between them. */
export function isDateFormat(format: string): boolean {
  const signs = PARTS.reduce((rest, part) => rest.replace(part, ''), format);
  return PARTS.every((part) => format.includes(part)) && /^[^\p{L}\p{N}]{0,6}$/u.test(signs);
}

/** Reads days of a format, with or without a time after them. */
function dayReader(format: string | undefined): (text: string) => IsoDate | null {
  if (format === undefined) {
    return (text) => parseIsoDate(text.slice(0, 10)) ?? parseDayMonthYear(text.slice(0, 10));
  }
  const escaped = format.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`);
  const pattern = PARTS.reduce(
    (rest, part) => rest.replace(part, `(?<${part}>\\d{${part.length}})`),
    escaped,
  );
  const shape = new RegExp(`^${pattern}(?:[T ].*)?$`);
  return (text) => {
    const { DD, MM, YYYY } = shape.exec(text)?.groups ?? {};
    return parseIsoDate(`${YYYY}-${MM}-${DD}`);
  };
}
