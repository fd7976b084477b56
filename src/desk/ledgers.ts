import { bringBack } from '../booking/stub.ts';
import { type FieldIssue, fieldFailure, fieldIssue } from '../core/failure.ts';
import { storedExponent } from '../core/money.ts';
import { andThen, err, ok, type Result } from '../core/result.ts';
import type { IsoDate } from '../core/time.ts';
import { UnreadableText } from '../core/unreadable.ts';
import { type Imported, importStatement } from '../disbursements/bank/importStatement.ts';
import { selectBankLines } from '../disbursements/bank/list.ts';
import { type CsvColumns, isDateFormat } from '../disbursements/bank/readCsv.ts';
import { type Key, type Page, type Part, pageAmong } from '../platform/db/page.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { compareLedger, MOST_LINES, toldBy } from '../pms/ledger/compare.ts';
import { readMissing } from '../pms/ledger/missing.ts';
import { readLedgerFile } from '../pms/ledger/readLedgerFile.ts';
import { REPORT_NOT_FOUND, repairLedger } from '../pms/ledger/repair.ts';
import { type KeptReport, keptReport } from '../pms/ledger/reports.ts';
import type { LedgerLine, ToldTransaction } from '../pms/ledger/rules/compare.ts';
import { selectReport } from '../pms/ledger/store.ts';
import type { Changed } from '../pms/outbox/actions.ts';
import type { ArchiveWork } from '../records/archive/read.ts';
import type { LedgerReportRow } from '../schema/outboxTables.ts';
import type { DeskWork } from './actions.ts';
import type { Scope } from './listStatements.ts';
import { contextOf } from './perform.ts';
import { may } from './rights.ts';
import { words } from './words.ts';

export type LedgersWork = ArchiveWork & Pick<DeskWork, 'env' | 'person' | 'property' | 'requestId'>;

/** Selects the lines of a property's bank statements that are no known disbursement, the latest first. */
export function selectUnmatchedLines(scope: Scope, part: Part) {
  return selectBankLines(scope ?? '', { status: 'unmatched' }, part);
}

/** Imports a bank's file under the person (interface: Bank statements). What begins like XML is a camt.053. */
export async function importBankFile(
  { database, person, property }: LedgersWork,
  text: string,
  { dateFormat = '', ...columns }: CsvColumns,
): Promise<Result<Imported>> {
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return allowed;
  const by = { clientId: person.id, name: person.name, nowMs: Date.now() };
  const isXml = /^\uFEFF?\s*</.test(text);
  const fault = isXml ? undefined : faultOf(text, dateFormat);
  if (fault !== undefined) return err(fieldFailure([fault]));
  const csv = { ...columns, ...(dateFormat !== '' && { dateFormat }) };
  const sent = isXml
    ? ({ format: 'camt.053', text } as const)
    : ({ format: 'csv', text, csv } as const);
  return importStatement({ database, property, nowMs: propertyNow(property), by }, sent);
}

/** What is wrong with a file before it is read as CSV: an MT940 and a file that is no text are none. */
function faultOf(text: string, dateFormat: string): FieldIssue | undefined {
  const { noCsv, noFormat } = words.bankStatement;
  if (/^\s*(?::20:|\{1:)/.test(text) || text.includes('\0')) {
    return fieldIssue('file', 'invalid_format', noCsv);
  }
  return dateFormat === '' || isDateFormat(dateFormat)
    ? undefined
    : fieldIssue('dateFormat', 'invalid_format', noFormat);
}

/** Days of a PMS's ledger, both included, with its file of them. */
export interface LedgerFile {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly text: string;
}

/** Compares a PMS's file with what it was sent (pms: The PMS's ledger). Returns the id of the report. */
export async function compareLedgerFile(
  { bucket, database, person, property, trace }: LedgersWork,
  { from, text, to }: LedgerFile,
): Promise<Result<string>> {
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return allowed;
  const lines = await readLines(text, property.currency);
  if (!lines.ok) return lines;
  const { id, timeZone } = property;
  const place = { id, timeZone, exponent: storedExponent(property.currency) };
  const made = await compareLedger(
    { bucket, database, trace, property: place, nowMs: propertyNow(property) },
    { from: { day: from }, to: { day: to }, lines: lines.value },
  );
  return andThen(made, ({ reportId }) => ok(reportId));
}

async function readLines(text: string, currency: string): Promise<Result<LedgerLine[]>> {
  try {
    return ok(await readLedgerFile(text, currency, MOST_LINES));
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    return err(fieldFailure([fieldIssue('file', 'invalid_format', error.message)]));
  }
}

/** A line of a report, or a message that was missing, and where it stands there. */
export type Numbered<Line> = Line & { readonly nth: number };

/** A report of a comparison: what it found, and some of the messages that were missing, as they are now. */
export interface ShownReport {
  readonly row: LedgerReportRow;
  readonly kept: KeptReport;
  readonly missing: Page<Numbered<ToldTransaction>>;
}

export const keyOfLine = ({ nth }: Numbered<unknown>): Key => [nth];

export function linesOf<Line>(lines: readonly Line[], part: Part): Page<Numbered<Line>> {
  const numbered = lines.map((line, nth) => ({ ...line, nth }));
  return pageAmong('ascending', numbered, part, keyOfLine);
}

/** Reads a report, with a part of its missing messages. Two round trips. */
export async function readLedgerReport(
  { property, ...work }: ArchiveWork & Pick<LedgersWork, 'property'>,
  id: string,
  part: Part,
): Promise<Result<ShownReport>> {
  const [[row]] = await work.database.batch('d1.ledger.read', [selectReport(property.id, id)]);
  if (!row) return err(REPORT_NOT_FOUND);
  const kept = keptReport(row);
  const { next, rows } = linesOf(kept.missing, part);
  const { archived, kept: inD1, letGo } = await readMissing(work, property, rows);
  const byId = new Map([...inD1, ...letGo, ...archived].map((one) => [one.messageId, one]));
  const exponent = storedExponent(property.currency);
  const missing = rows.flatMap(({ messageId, nth }) => {
    const message = byId.get(messageId);
    return message ? [{ ...toldBy(message, exponent), nth }] : [];
  });
  return ok({ row, kept, missing: { rows: missing, next } });
}

/** Sends again what a report found missing, under the person. */
export async function repairFromDesk(
  work: LedgersWork,
  reportId: string,
): Promise<Result<Changed>> {
  const { person, property, requestId } = work;
  const allowed = may(person, property, 'acceptDifferences');
  if (!allowed.ok) return allowed;
  const by = { clientId: person.id, name: person.name, requestId };
  const { bucket, database, trace } = work;
  const back = (reference: string) => bringBack(work, contextOf({ ...work, reference }));
  const own = { bucket, database, trace, by, bringBack: back };
  const nowMs = propertyNow(property);
  return repairLedger({ ...own, propertyId: property.id, nowMs }, reportId, false);
}
