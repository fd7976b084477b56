import { type Bound, endsBefore, instantOfBound } from '../../core/bounds.ts';
import { fieldFailure, fieldIssue } from '../../core/failure.ts';
import { toMinor } from '../../core/money.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { instantOf } from '../../core/time.ts';
import type { ArchiveWork } from '../../records/archive/read.ts';
import { selectArchivedAmong } from '../../records/archive/store.ts';
import { selectProperty } from '../../records/properties/store.ts';
import type { OutboxRow } from '../../schema/outboxTables.ts';
import { transactionDataSchema } from '../messageSchemas.ts';
import { payloadOf } from '../outbox/payloads.ts';
import { letGoOf, rebuiltMessages, selectSources } from '../outbox/rebuilt.ts';
import { readArchivedMessages } from './archived.ts';
import { packedReport } from './reports.ts';
import {
  compareLines,
  type LedgerComparison,
  type LedgerLine,
  type ToldTransaction,
  wholeSecond,
} from './rules/compare.ts';
import {
  deleteOldReports,
  insertReport,
  selectMoneyMessages,
  selectMovedBookings,
} from './store.ts';

/** The most lines of one comparison (pms: The PMS's ledger). */
export const MOST_LINES = 20_000;

/** The most messages that one comparison looks at, and the most bookings of its span. */
const MOST_TOLD = 40_000;
const MOST_BOOKINGS = 20_000;

/** How many bookings one round trip reads the messages of. */
const BOOKINGS_AT_ONCE = 200;

/** The most archived bookings of one comparison: each is a read of R2, of the thousand calls that the platform allows. */
const MOST_ARCHIVED = 500;

/** How many reports of a property are kept for repairs. */
const KEPT = 100;

/** The property that compares, and its clock's time. */
export interface LedgerWork extends ArchiveWork {
  readonly property: {
    readonly id: string;
    readonly timeZone: string;
    readonly exponent: number;
  };
  readonly nowMs: number;
}

/** A span with what the PMS's ledger has of it. */
export interface LedgerReport {
  readonly from: Bound;
  /** A day is included, an instant is not. */
  readonly to: Bound;
  readonly lines: readonly LedgerLine[];
}

/** A comparison that can be repaired by its id. */
export type MadeReport = LedgerComparison & { readonly reportId: string };

/**
 * Compares the PMS's ledger of a span with the messages about money that it was sent (pms: The PMS's ledger), and keeps
 * what it found for a repair. Lines may name what moved before or after the span; only what moved in it can be missing, and
 * nothing of archived bookings, which stay where they are.
 */
export async function compareLedger(
  work: LedgerWork,
  { from, lines, to }: LedgerReport,
): Promise<Result<MadeReport>> {
  const { database, nowMs, property } = work;
  const fromMs = wholeSecond(instantOfBound(from, 'begins', property.timeZone));
  const beforeMs = instantOfBound(to, 'ends', property.timeZone);
  if (endsBefore(to, beforeMs, fromMs)) {
    const message = 'to must not come before from.';
    return err(fieldFailure([fieldIssue('to', 'dates_out_of_order', message)]));
  }
  const told = await readTold(work, { fromMs, beforeMs }, lines);
  if (told === null) return err(TOO_MUCH);
  const found = compareLines(told, lines, property.timeZone);
  const reportId = crypto.randomUUID();
  await database.batch('d1.ledger.save', [
    insertReport({
      id: reportId,
      propertyId: property.id,
      createdAtMs: nowMs,
      matched: found.matched,
      found: packedReport(found, { id: reportId }),
    }),
    deleteOldReports(property.id, KEPT),
  ]);
  return ok({ ...found, reportId });
}

const TOO_MUCH = fieldFailure([
  fieldIssue(
    'to',
    'too_big',
    `Ask for fewer days: at most ${MOST_BOOKINGS} bookings, ${MOST_ARCHIVED} archived ones, and ${MOST_TOLD} payments.`,
  ),
]);

interface Span {
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** What the PMS was told of the bookings that moved in a span or that a line names; null for too much. */
async function readTold(
  work: LedgerWork,
  span: Span,
  lines: readonly LedgerLine[],
): Promise<ToldTransaction[] | null> {
  const { database, property } = work;
  const [moved] = await database.batch('d1.ledger.read', [
    selectMovedBookings(property.id, span.fromMs, span.beforeMs, MOST_BOOKINGS + 1),
  ]);
  if (moved.length > MOST_BOOKINGS) return null;
  const named = new Set(lines.map(({ reference }) => reference));
  const references = [...new Set([...moved.map(({ reference }) => reference), ...named])];
  const told: ToldTransaction[] = [];
  let files = 0;
  for (let at = 0; at < references.length; at += BOOKINGS_AT_ONCE) {
    const some = references.slice(at, at + BOOKINGS_AT_ONCE);
    const [messages, [row], archived, ...sources] = await database.batch('d1.ledger.read', [
      selectMoneyMessages(property.id, some),
      selectProperty(property.id),
      selectArchivedAmong(some.map((reference) => ({ propertyId: property.id, reference }))),
      ...selectSources(letGoOf(property.id, some)),
    ]);
    const letGo = row ? rebuiltMessages(row, sources) : [];
    const all = [...messages, ...letGo].map((one) => toldBy(one, property.exponent, span));
    told.push(...all.filter((one) => one.isInSpan || named.has(one.reference)));
    files += archived.length;
    if (files > MOST_ARCHIVED) return null;
    const ofArchive = row ? await readArchivedMessages(work, row, archived) : [];
    told.push(...ofArchive.map((one) => toldBy(one, property.exponent)));
    if (told.length > MOST_TOLD) return null;
  }
  return told;
}

type MoneyMessage = Pick<
  OutboxRow,
  'propertyId' | 'bookingReference' | 'messageId' | 'payload' | 'status' | 'createdAtMs'
>;

/** What a message about money told the PMS. */
export function toldBy(
  message: MoneyMessage,
  exponent: number,
  { beforeMs, fromMs }: Span = { fromMs: 0, beforeMs: 0 },
): ToldTransaction {
  const data = transactionDataSchema.parse(payloadOf(message)['TransactionData']);
  // Fees come on top of the bound of requests.
  const most = Number.MAX_SAFE_INTEGER;
  const amount = toMinor(data.AmountGross, exponent, -most, most);
  if (!amount.ok) throw new Error('a message has no amount of its currency');
  const atMs = instantOf(data.ProcessedTime) ?? 0;
  return {
    messageId: message.messageId,
    transactionId: data.TransactionID,
    reference: data.RelatedReference,
    type: data.Type,
    amountMinor: amount.value,
    processedTime: data.ProcessedTime,
    delivery: message.status,
    isInSpan: fromMs <= atMs && atMs < beforeMs,
  };
}
