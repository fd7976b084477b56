import type { z } from '@hono/zod-openapi';
import { bringBack } from '../booking/stub.ts';
import { fieldFailure } from '../core/failure.ts';
import { err, ok, type Result, refuse } from '../core/result.ts';
import { sumOf } from '../core/sum.ts';
import { DAY_MS, SECOND_MS } from '../core/time.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { DatabaseUnavailable, refusedByGuard } from '../platform/db/errors.ts';
import { pageFound, pageOfAll } from '../platform/db/narrow.ts';
import { type Page, type Part, shownPage } from '../platform/db/page.ts';
import { onCurrent, StaleState } from '../platform/db/retryWhenStale.ts';
import type { Env } from '../platform/env.ts';
import { logWarning } from '../platform/log.ts';
import type { Trace } from '../platform/trace.ts';
import { BookingArchived } from '../records/archive/store.ts';
import { appendEntry } from '../records/history/append.ts';
import { propertyNotFound } from '../records/properties/rules.ts';
import { selectProperty } from '../records/properties/store.ts';
import type { ExceptionRow, ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { advance, Budget } from './advance.ts';
import {
  acceptRow,
  type ExceptionsOf,
  selectException,
  selectListed,
  staleUnlessOpen,
} from './exceptionStore.ts';
import { EXCEPTION_NOT_FOUND } from './rules/differences.ts';
import { STILL_COMPARING, spanIssues } from './rules/runs.ts';
import { completeRun, insertRun, selectAskedRun } from './runStore.ts';
import { selectAccountsOf } from './store.ts';
import { type exceptionSchema, exceptionView } from './views.ts';
import { newRun, type ReconciliationWork } from './work.ts';

/** Lists exceptions of one or all properties, the newest first (interface: Reconciliation). One round trip. */
export async function listExceptions(
  database: Database,
  of: ExceptionsOf,
  part: Part,
): Promise<Result<Page<z.infer<typeof exceptionSchema>>>> {
  if (of.property === undefined) {
    const found = await database.everywhere('d1.reconciliation.read', selectListed(of, part));
    return ok(shownPage(pageOfAll(found, part.limit, 'descending', keyOf), exceptionView));
  }
  const [[property], ...found] = await database.batch('d1.reconciliation.read', [
    selectProperty(of.property),
    ...selectListed(of, part),
  ]);
  if (!property) return err(propertyNotFound());
  return ok(shownPage(pageFound(found, part.limit, keyOf), exceptionView));
}

const keyOf = ({ id }: ExceptionRow) => [id];

export interface Accepter {
  readonly clientId: string;
  /** The name of a person of the staff; left out for an administrator's client. */
  readonly name?: string;
  readonly requestId: string;
}

export interface AcceptWork {
  readonly database: Database;
  readonly env: Env;
  readonly trace: Trace;
}

/**
 * Accepts an exception for good: the difference is explained, and no later comparison opens it again. Accepting it twice
 * changes nothing. Where its booking is known, the audit trail says who accepted it and why; an archived one comes back for
 * that.
 */
export async function acceptException(
  work: AcceptWork,
  id: string,
  reason: string,
  by: Accepter,
  nowMs: number,
): Promise<Result<ExceptionRow>> {
  const accept = () =>
    onCurrent('difference', wasOvertaken, () => acceptOpen(work, id, reason, by, nowMs));
  try {
    return await accept();
  } catch (error) {
    if (!(error instanceof BookingArchived)) throw error;
    const context = { ...error.booking, requestId: by.requestId, actor: by.clientId };
    const back = await bringBack(work, context);
    return back.ok ? accept() : back;
  }
}

/** Whether an exception was closed since it was read. */
function wasOvertaken(error: unknown): boolean {
  return error instanceof StaleState || refusedByGuard(error, 'stale_state');
}

async function acceptOpen(
  { database }: AcceptWork,
  id: string,
  reason: string,
  by: Accepter,
  nowMs: number,
): Promise<Result<ExceptionRow>> {
  const { exception: known, home } = await findException(database, id);
  if (!known) return err(EXCEPTION_NOT_FOUND);
  if (known.resolution === 'accepted') return ok(known);
  if (known.status === 'closed') {
    return refuse('invalid_state', 'The exception is closed: the records agree.');
  }
  const { bookingReference, propertyId } = known;
  const save = home.batch('d1.reconciliation.save', [
    staleUnlessOpen(known),
    acceptRow(id, reason, nowMs),
    ...auditOf(known, reason, by, nowMs),
  ]);
  const [, [accepted]] = await save.catch((error: unknown) => {
    const isKnown = propertyId !== null && bookingReference !== null;
    throw isKnown && refusedByGuard(error, 'archived')
      ? new BookingArchived({ propertyId, reference: bookingReference })
      : error;
  });
  if (!accepted) throw new StaleState();
  logWarning('reconciliation_accepted', {
    requestId: by.requestId,
    property: propertyId ?? undefined,
    booking: bookingReference ?? undefined,
    exception: id,
    by: by.clientId,
  });
  return ok(accepted);
}

/** Finds an exception, and the database that has it. One of no property is where it was found. */
async function findException(database: Database, id: string) {
  const found = await database.ofAnswering(async ({ database: at }) => {
    const [[exception]] = await at.batch('d1.reconciliation.read', [selectException(id)]);
    return { at, exception };
  });
  const { at = database, exception } = found.find((one) => one.exception) ?? {};
  if (!exception && found.length < database.each.length)
    throw new DatabaseUnavailable(new Error('one that is away may have it'));
  const own = exception?.propertyId ?? null;
  return { exception, home: own === null ? at : database.of(own) };
}

/** The entry of an acceptance; none where no booking is known. */
function auditOf(
  { bookingReference, id, propertyId }: ExceptionRow,
  reason: string,
  { clientId, name }: Accepter,
  nowMs: number,
): Statement[] {
  if (propertyId === null || bookingReference === null) return [];
  return appendEntry({
    propertyId,
    bookingReference,
    atMs: nowMs,
    actor: clientId,
    actorName: name,
    subject: { kind: 'exception', id },
    from: 'open',
    to: 'accepted',
    detail: reason,
  });
}

/** What a caller may have compared at once. */
export interface Span {
  readonly property: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * How long a request compares, and how much it asks before its last page, which may ask as much again: for each movement the
 * archive, twice, and the acquirer and the booking. What is left after that, the Cron Trigger does.
 */
const REQUEST_MS = 20 * SECOND_MS;
const CALLS_PER_REQUEST = 500;

/** How long the result of a run waits for its caller. */
const KEPT_FOR_CALLER_MS = DAY_MS;

/**
 * Compares a property's movements of a span (interface: Reconciliation), to the end, on every account that it has or
 * had. If that takes too long, the answer is `busy` and the sweep goes on; the same arguments later give the result of
 * the same runs.
 */
export async function reconcileSpan(
  work: ReconciliationWork,
  span: Span,
): Promise<Result<Pick<ReconciliationRunRow, 'compared' | 'corrected' | 'exceptions'>>> {
  const issues = spanIssues(span);
  if (issues.length > 0) return err(fieldFailure(issues));
  const accounts = await accountsOf(work, span.property);
  if (!accounts.ok) return accounts;
  const budget = new Budget(CALLS_PER_REQUEST, work.now() + REQUEST_MS, work.now);
  const runs: ReconciliationRunRow[] = [];
  for (const account of accounts.value) {
    const begun = await beginRun(work, span, account);
    const run = begun.phase === 'done' ? begun : await advance(work, begun.id, budget);
    if (run) runs.push(run);
  }
  const done = runs.filter(({ phase }) => phase === 'done');
  const [first, ...rest] = done.map(({ id }) => completeRun(id, work.now()));
  if (!first || done.length < accounts.value.length) return err(STILL_COMPARING);
  await work.database.batch('d1.reconciliation.save', [first, ...rest]);
  return ok({
    compared: sumOf(done, 'compared'),
    corrected: sumOf(done, 'corrected'),
    exceptions: sumOf(done, 'exceptions'),
  });
}

/** The accounts at the acquirer on which a property's movements are. */
export async function accountsOf(
  { accounts, database }: ReconciliationWork,
  propertyId: string,
): Promise<Result<readonly (string | null)[]>> {
  const [[property], used] = await database.batch('d1.reconciliation.read', [
    selectProperty(propertyId),
    selectAccountsOf(propertyId),
  ]);
  if (!property) return err(propertyNotFound());
  return ok(accounts === 'one' ? [null] : used.map(({ account }) => account));
}

/** The run with these arguments whose result nobody has got, or a new one. */
async function beginRun(
  work: ReconciliationWork,
  { fromMs, property: propertyId, toMs }: Span,
  account: string | null,
): Promise<ReconciliationRunRow> {
  const { database, now } = work;
  const run = newRun(work, { propertyId, account, fromMs, toMs, cause: 'asked' });
  const [[open]] = await database.batch('d1.reconciliation.read', [
    selectAskedRun(run, now() - KEPT_FOR_CALLER_MS),
  ]);
  if (open) return open;
  const [[inserted]] = await database.batch('d1.reconciliation.save', [insertRun(run)]);
  if (!inserted) throw new Error('a run was not inserted');
  return inserted;
}
