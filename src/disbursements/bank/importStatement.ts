import { fieldFailure, fieldIssue } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { addDays, startOfDayMs } from '../../core/time.ts';
import { UnreadableText } from '../../core/unreadable.ts';
import { GATEWAYS } from '../../platform/config.ts';
import type { Database, Statement } from '../../platform/db/database.ts';
import { appendChange, type ChangedBy } from '../../records/audit/changes.ts';
import { insertException, openException } from '../../records/exceptions/exceptions.ts';
import type { BankLineRow, DisbursementRow } from '../../schema/disbursementTables.ts';
import { lineIds } from './lineIds.ts';
import { readCamt } from './readCamt.ts';
import { type CsvColumns, readCsv } from './readCsv.ts';
import { type StatementLine, withoutCardNumbers } from './rules/lines.ts';
import { namedPairs, nearestPairs, type Pair } from './rules/matching.ts';
import {
  closeFound,
  type Days,
  insertLines,
  pairLines,
  selectCandidates,
  selectNotAtBank,
  selectUnlined,
} from './store.ts';

export type SentStatement =
  | { readonly format: 'camt.053'; readonly text: string }
  | { readonly format: 'csv'; readonly text: string; readonly csv: CsvColumns };

export interface ImportWork {
  readonly database: Database;
  readonly property: { readonly id: string; readonly currency: string; readonly timeZone: string };
  /** By the property's clock. */
  readonly nowMs: number;
  readonly by: ChangedBy;
}

/** What became of the lines of a statement: each is new, with a disbursement or without, or was imported before. */
export interface Imported {
  readonly lines: number;
  readonly matched: number;
  readonly unmatched: number;
  readonly repeated: number;
}

/** How many days around a statement its disbursements are looked for. */
const DAYS_AROUND = 60;

/** A statement of D1 takes this many lines, below its limit of a parameter, and a batch this many statements. */
const LINES_AT_ONCE = 500;
const STATEMENTS_AT_ONCE = 20;
const PAIRS_AT_ONCE = 200;
const EXCEPTIONS_AT_ONCE = 100;

/**
 * Imports a bank statement (interface: Bank statements): each line once, with the disbursement that it is. A text that is
 * no statement imports nothing. After a crash, another import of the same text goes on.
 */
export async function importStatement(
  work: ImportWork,
  sent: SentStatement,
): Promise<Result<Imported>> {
  const read = await readStatement(sent, work.property.currency);
  if (!read.ok) return read;
  const { value: lines } = read;
  const days = daysOf(lines);
  if (days === null) return ok({ lines: 0, matched: 0, unmatched: 0, repeated: 0 });
  const ids = await lineIds(work.property.id, lines);
  const added = await saveLines(work, lines, ids);
  const around = {
    from: addDays(days.from, -DAYS_AROUND),
    to: addDays(days.to, DAYS_AROUND),
  };
  const pairs = await matchLines(work, lines, ids, around);
  const matched = pairs.filter(({ lineId }) => added.has(lineId)).length;
  const imported = {
    lines: lines.length,
    matched,
    unmatched: added.size - matched,
    repeated: lines.length - added.size,
  };
  await noteMissing(work, { days, imported });
  return ok(imported);
}

async function readStatement(
  sent: SentStatement,
  currency: string,
): Promise<Result<StatementLine[]>> {
  try {
    const { format, text } = sent;
    return ok(format === 'csv' ? await readCsv(text, sent.csv, currency) : await readCamt(text));
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return err(fieldFailure([fieldIssue('text', 'invalid_format', error.message)]));
  }
}

/** The first and the last day of a statement; null for one without lines. */
function daysOf(lines: readonly StatementLine[]): Days | null {
  const dates = lines.map(({ date }) => date).toSorted();
  const [from] = dates;
  const to = dates.at(-1);
  return from === undefined || to === undefined ? null : { from, to };
}

/** Saves the lines that are new, a batch at a time. Returns their ids. */
async function saveLines(
  { database, property }: ImportWork,
  lines: readonly StatementLine[],
  ids: readonly string[],
): Promise<Set<string>> {
  const added = new Set<string>();
  const rowAt = (at: number): BankLineRow[] => {
    const [line, id] = [lines[at], ids[at]];
    if (line === undefined || id === undefined) return [];
    const { amountMinor, currency, date } = line;
    const description = withoutCardNumbers(line.description);
    const told = { date, currency, amountMinor, description };
    return [{ propertyId: property.id, id, ...told, status: 'unmatched', disbursementId: null }];
  };
  const places = [...lines.keys()];
  for (const batch of chunksOf(places, LINES_AT_ONCE * STATEMENTS_AT_ONCE)) {
    const [first, ...rest] = chunksOf(batch, LINES_AT_ONCE).map((some) =>
      insertLines(some.flatMap(rowAt)),
    );
    if (!first) continue;
    const inserted = await database.batch('d1.bankLine.save', [first, ...rest]);
    for (const { id } of inserted.flat()) added.add(id);
  }
  return added;
}

/** Finds the disbursements of the statement's lines by their names, and of all lines by amount and day. */
async function matchLines(
  { database, property }: ImportWork,
  lines: readonly StatementLine[],
  ids: readonly string[],
  around: Days,
): Promise<Pair[]> {
  const [unlined] = await database.batch('d1.bankLine.read', [selectUnlined(property.id, around)]);
  const byName = await savePairs(database, property.id, namedPairs(withIds(lines, ids), unlined));
  const [candidates] = await database.batch('d1.bankLine.read', [
    selectCandidates(property.id, around),
  ]);
  const byAmount = await savePairs(database, property.id, nearestPairs(candidates));
  return [...byName, ...byAmount];
}

/** Lines with their ids, one after the other: a copy of all would take as much memory again. */
function* withIds(lines: readonly StatementLine[], ids: readonly string[]) {
  for (const [at, line] of lines.entries()) yield { ...line, id: ids[at] ?? '' };
}

/** Saves pairs. Returns those that were made: another import may have made others meanwhile. */
async function savePairs(
  database: Database,
  propertyId: string,
  pairs: readonly Pair[],
): Promise<Pair[]> {
  const updates = chunksOf(pairs, PAIRS_AT_ONCE).map((some) => pairLines(propertyId, some));
  const [first, ...rest] = updates;
  return first ? (await database.batch('d1.bankLine.save', [first, ...rest])).flat() : [];
}

/** Closes the exceptions of what has a line now, makes those of what should have one, and notes the import. */
async function noteMissing(
  { by, database, nowMs, property }: ImportWork,
  { days, imported }: { readonly days: Days; readonly imported: Imported },
): Promise<void> {
  const [missing] = await database.batch('d1.bankLine.read', [selectNotAtBank(property.id)]);
  const statements: Statement[] = [
    ...missing.map((row) =>
      insertException(openException(notAtBank(row, property.timeZone), nowMs)),
    ),
    closeFound(property.id, GATEWAYS, nowMs),
    ...appendChange(by, {
      places: [property.id],
      subject: 'bank-statement',
      before: null,
      after: {
        import: `${imported.lines} lines of ${days.from} to ${days.to}, ${imported.repeated} repeated`,
      },
    }),
  ];
  for (const [first, ...rest] of chunksOf(statements, EXCEPTIONS_AT_ONCE)) {
    if (first) await database.batch('d1.bankLine.save', [first, ...rest]);
  }
}

function notAtBank(row: DisbursementRow, timeZone: string) {
  const { arrivalDate, currency, gateway, id, netMinor, propertyId, status } = row;
  return {
    propertyId,
    bookingReference: null,
    gateway,
    kind: 'not_at_bank' as const,
    // Properties have disbursements of the same id.
    subject: `${propertyId} ${id}`,
    ours: {
      status,
      amountMinor: netMinor,
      currency,
      id,
      atMs: startOfDayMs(arrivalDate, timeZone),
    },
    theirs: null,
    detail: `The disbursement ${id} was expected on ${arrivalDate}, and no bank line is it.`,
  };
}

function chunksOf<T>(all: readonly T[], most: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < all.length; at += most) chunks.push(all.slice(at, at + most));
  return chunks;
}
