import { identifierHoldsCardNumber } from '../../core/cardNumbers.ts';
import { typedAmount } from '../../core/typedAmount.ts';
import { UnreadableText } from '../../core/unreadable.ts';
import { eachRow } from '../../platform/csv.ts';
import { isLineTime, type LedgerLine } from './rules/compare.ts';

/** The headers of each member, without signs and case: the messages' own names among them. */
const HEADERS = {
  transactionId: ['transactionid'],
  reference: ['reference', 'relatedreference', 'booking'],
  type: ['type'],
  amountGross: ['amountgross', 'amount'],
  processedTime: ['processedtime', 'time', 'date'],
} as const;

type Member = keyof typeof HEADERS;

type Places = Readonly<Record<Member, number>>;

/**
 * Reads a PMS's ledger as a CSV file whose headers are the members of its lines. Throws {@link UnreadableText}, which names the
 * row, also for more than `most` lines.
 */
export async function readLedgerFile(
  text: string,
  currency: string,
  most: number,
): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  let places: Places | null = null;
  let rows = 0;
  await eachRow(text, undefined, (cells) => {
    rows += 1;
    if (places === null) {
      places = placesOf(cells);
      return;
    }
    if (cells.every((cell) => cell.trim() === '')) return;
    lines.push(lineOf(cells, places, currency, rows));
    if (lines.length > most) throw new UnreadableText(`A file may have at most ${most} lines.`);
  });
  if (places === null) throw new UnreadableText(NO_HEADERS);
  return lines;
}

const NO_HEADERS =
  'The first row must have the headers reference, type and amountGross; transactionId and processedTime may follow.';

function placesOf(cells: readonly string[]): Places {
  const headers = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ''));
  const placeOf = (member: Member) =>
    headers.findIndex((header) => (HEADERS[member] as readonly string[]).includes(header));
  const places = {
    transactionId: placeOf('transactionId'),
    reference: placeOf('reference'),
    type: placeOf('type'),
    amountGross: placeOf('amountGross'),
    processedTime: placeOf('processedTime'),
  };
  if (places.reference < 0 || places.type < 0 || places.amountGross < 0) {
    throw new UnreadableText(NO_HEADERS);
  }
  return places;
}

/** The longest reference or id of a line. */
const LONGEST = 100;

function lineOf(
  cells: readonly string[],
  places: Places,
  currency: string,
  row: number,
): LedgerLine {
  const cell = (member: Member) => cells[places[member]]?.trim() ?? '';
  const refuse = (what: string): never => {
    throw new UnreadableText(`Row ${row} has ${what}.`);
  };
  const reference = cell('reference');
  const transactionId = cell('transactionId');
  if (reference === '' || reference.length > LONGEST) refuse('no reference of a booking');
  // Ids of this service may look like card numbers.
  const searched = /^\d{1,15}$/.test(transactionId) ? reference : `${reference} ${transactionId}`;
  if (identifierHoldsCardNumber(searched)) refuse('a card number');
  if (transactionId.length > LONGEST) refuse('no id of a transaction');
  const processedTime = cell('processedTime');
  if (processedTime !== '' && !isLineTime(processedTime)) refuse('no time');
  const amount = typedAmount(cell('amountGross'), currency);
  return {
    ...(transactionId !== '' && { transactionId }),
    reference,
    type: typeOf(cell('type')) ?? refuse('a type other than Payment and Refund'),
    amountMinor: amount.ok ? amount.value : refuse(`no amount of ${currency}`),
    ...(processedTime !== '' && { processedTime }),
  };
}

function typeOf(text: string): LedgerLine['type'] | null {
  const types = ['Payment', 'Refund'] as const;
  return types.find((type) => type.toLowerCase() === text.toLowerCase()) ?? null;
}
