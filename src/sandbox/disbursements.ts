import { inArray, sql } from 'drizzle-orm';
import { propertyTime } from '../core/propertyClock.ts';
import type { IsoDate } from '../core/time.ts';
import { advance } from '../disbursements/advance.ts';
import {
  addUp,
  insertItem,
  saveProgress,
  selectDueDisbursements,
  selectProgress,
} from '../disbursements/store.ts';
import type { Origin } from '../gateways/movements.ts';
import { type Database, openDatabase, queries, type Statement } from '../platform/db/database.ts';
import { DatabaseUnavailable } from '../platform/db/errors.ts';
import { listed, listedPairs } from '../platform/db/listed.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { isChargeNamedBy, isRefundNamedBy } from '../records/history/chargesStore.ts';
import { priceTaken } from '../records/properties/rules/takenPrice.ts';
import {
  type DisbursementRow,
  disbursementItems,
  disbursements,
} from '../schema/disbursementTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { type SequencedOperation, subjectOf } from './acquirer/operations.ts';
import {
  dayId,
  dayOf,
  daysOf,
  disbursementOfDay,
  itemId,
  itemOf,
  type Movement,
} from './rules/days.ts';
import { sandboxAcquirer } from './stub.ts';

/** How many movements one sweep handles; the next sweep continues. */
const MOST_PER_SWEEP = 200;

const MOST_ADVANCED = 100;

const SOURCE = 'sandbox';

/**
 * Records the sandbox acquirer's disbursements (interface: Disbursements). Each movement in its ledger goes into the
 * disbursement of its property's local day; due disbursements are closed or paid out. The Cron Triggers run it, and a
 * repeated run changes nothing.
 */
export async function sweepSandboxDisbursements(env: Env, nowMs: number): Promise<number> {
  return sweep(env, nowMs, true);
}

/** Records all movements of the ledger that are new, and closes nothing. */
export async function recordSandboxMovements(env: Env, nowMs: number): Promise<void> {
  for (;;) {
    if ((await sweep(env, nowMs, false)) < MOST_PER_SWEEP) return;
  }
}

/** Returns how many movements are recorded for good. */
async function sweep(env: Env, nowMs: number, closes: boolean): Promise<number> {
  const trace = new Trace();
  const database = openDatabase(env, trace);
  const found = await database.everyAnswering('d1.sweep.read', [
    selectProgress(SOURCE),
    selectDueDisbursements(nowMs, MOST_ADVANCED),
  ]);
  const [progress] = found.flatMap(([own]) => own);
  if (!progress && found.length < database.each.length)
    throw new DatabaseUnavailable(new Error('the one with the progress may be away'));
  const due = found.flatMap(([, own]) => own);
  const after = Number(progress?.position ?? 0);
  const moved = await trace.span('gateway.payouts', () =>
    sandboxAcquirer(env).movementsAfter(after, MOST_PER_SWEEP),
  );
  const { left, recorded } = await recordMovements(database, moved, nowMs);
  // A closed day must have all its movements, so close none while the ledger has more.
  if (closes && moved.length < MOST_PER_SWEEP) {
    const all = moved.length > 0 ? await readDue(database, nowMs) : due;
    await advanceAll(
      database,
      all.filter(({ propertyId }) => !left.has(propertyId)),
      nowMs,
    );
  }
  return recorded;
}

async function readDue(database: Database, nowMs: number) {
  const select = selectDueDisbursements(nowMs, MOST_ADVANCED);
  return (await database.everyAnswering('d1.disbursement.read', [select])).flat(2);
}

/**
 * Records movements and how far the ledger is read: in one batch where there is one database, else each property's where that
 * lives. One that is moving, or whose database is away, is left out: the ledger is read again from its first movement on.
 * Returns these properties, and how many movements are recorded before the first of theirs.
 */
async function recordMovements(
  database: Database,
  moved: readonly SequencedOperation[],
  nowMs: number,
): Promise<{ readonly left: ReadonlySet<string>; readonly recorded: number }> {
  const left = new Set<string>();
  const record = async (one: Database, own: readonly SequencedOperation[]) =>
    itemStatements(one, await withDetails(one, own, nowMs));
  const statements = database.isMany ? [] : await record(database, moved);
  for (const [propertyId, own] of database.isMany ? groupsOf(moved) : []) {
    const home = database.of(propertyId);
    const isRecorded = await goesOn(propertyId, async () => save(home, await record(home, own)));
    if (!isRecorded) left.add(propertyId);
  }
  const firstLeft = moved.findIndex(({ propertyId }) => left.has(propertyId));
  const recorded = firstLeft < 0 ? moved.length : firstLeft;
  const last = moved[recorded - 1];
  const progress = last ? [saveProgress(SOURCE, String(last.sequence))] : [];
  await save(database, [...statements, ...progress]);
  return { left, recorded };
}

async function save(database: Database, statements: readonly Statement[]): Promise<void> {
  const [first, ...rest] = statements;
  if (first) await database.batch('d1.disbursement.save', [first, ...rest]);
}

function groupsOf<Row extends { readonly propertyId: string }>(rows: readonly Row[]) {
  return Map.groupBy(rows, ({ propertyId }) => propertyId);
}

/** Does something for a property beside others. False if it failed, which is only logged. */
async function goesOn(propertyId: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    logError('disbursements_failed', error, { property: propertyId });
    return false;
  }
}

async function advanceAll(database: Database, due: DueRows, nowMs: number): Promise<void> {
  if (!database.isMany) return advance(database, due, nowMs);
  for (const [propertyId, own] of groupsOf(due)) {
    await goesOn(propertyId, () => advance(database.of(propertyId), own, nowMs));
  }
}

type DueRows = Awaited<ReturnType<typeof readDue>>;

/**
 * Adds the details that only this service has to the acquirer's movements. What was made without this service, or before
 * its database was restored, is paid out as well.
 */
async function withDetails(
  database: Database,
  moved: readonly SequencedOperation[],
  realMs: number,
): Promise<Movement[]> {
  if (moved.length === 0) return [];
  const origins = moved.flatMap(({ bookingReference, propertyId, reference }) =>
    bookingReference === null || reference === null
      ? []
      : [{ propertyId, bookingReference, reference }],
  );
  const [zones, charges, givenBack] = await database.batch('d1.disbursement.read', [
    selectZones([...new Set(moved.map(({ propertyId }) => propertyId))]),
    selectKnownCharges(origins),
    selectKnownRefunds(origins),
  ]);
  const zoneOf = new Map(
    zones.map(({ id, timeZone, ...clock }) => [
      id,
      { timeZone, nowMs: propertyTime(clock, realMs) },
    ]),
  );
  const charged = new Map(charges.map((row) => [row.reference, row]));
  const created = new Map(
    [...charges, ...givenBack].map(({ createdAtMs, reference }) => [reference, createdAtMs]),
  );
  return moved.flatMap((movement) => {
    const zone = zoneOf.get(movement.propertyId);
    const reference = movement.reference ?? '';
    const isOurs = movement.idempotencyKey !== null;
    const createdAtMs = (isOurs && created.get(reference)) || movement.atMs;
    // Without a zone the property itself is gone.
    return zone ? [{ ...movementOf(movement, charged.get(reference)), createdAtMs, ...zone }] : [];
  });
}

function movementOf(
  operation: SequencedOperation,
  charge: KnownCharge | undefined,
): Omit<Movement, 'timeZone' | 'nowMs' | 'createdAtMs'> {
  const { sequence, propertyId, bookingReference, movedMinor, currency, atMs } = operation;
  const kind = categoryOf(operation);
  return {
    sequence,
    propertyId,
    kind,
    grossMinor: movedMinor,
    feeMinor: kind === 'sale' && charge ? feeOfSale(charge, movedMinor) : 0,
    currency,
    description: bookingReference ?? '',
    gatewayReference: subjectOf(operation),
    atMs,
  };
}

/** The fees in what was taken: of another amount than is known here yet, those that a correction will make. */
function feeOfSale({ amountMinor, feeMinor, terms }: KnownCharge, takenMinor: number): number {
  if (amountMinor === takenMinor) return feeMinor;
  return takenMinor - priceTaken(takenMinor, terms).requestedMinor;
}

function categoryOf({ kind }: SequencedOperation): Movement['kind'] {
  switch (kind) {
    case 'refund':
    case 'refund_failure':
      return kind;
    case 'dispute':
    case 'dispute_reversal':
      return 'dispute';
    default:
      return 'sale';
  }
}

/** The statements that add movements to the disbursements of their days, but for those that were added before. */
async function itemStatements(
  database: Database,
  all: readonly Movement[],
): Promise<readonly Statement[]> {
  if (all.length === 0) return [];
  const possible = all.flatMap((movement) =>
    daysOf(movement).map((day) => [movement.propertyId, dayId(movement.propertyId, day)] as const),
  );
  const [closed, added] = await database.batch('d1.disbursement.read', [
    selectClosed(possible),
    selectAdded(all),
  ]);
  const addedIds = new Set(added.map(({ id }) => id));
  const movements = all.filter(({ sequence }) => !addedIds.has(itemId(sequence)));
  const names = new Set(closed.map(({ propertyId, id }) => `${propertyId} ${id}`));
  const isClosed = (propertyId: string, day: IsoDate) =>
    names.has(`${propertyId} ${dayId(propertyId, day)}`);
  const placed = movements.map((movement) => ({ movement, day: dayOf(movement, isClosed) }));
  const days = new Map(
    placed.map((one) => [`${one.movement.propertyId} ${one.day}`, one]),
  ).values();
  return [...days].flatMap(({ movement, day }) => {
    const { propertyId } = movement;
    const ofDay = placed.filter((one) => one.day === day && one.movement.propertyId === propertyId);
    return [
      openDisbursement(disbursementOfDay(movement, day)),
      ...ofDay.map((one) => insertItem(itemOf(one.movement, day))),
      addUp(propertyId, dayId(propertyId, day)),
    ];
  });
}

/** Selects which of some movements are items. */
function selectAdded(movements: readonly Movement[]) {
  const { id, propertyId } = disbursementItems;
  const ids = movements.map((one) => [one.propertyId, itemId(one.sequence)] as const);
  return queries
    .select({ id })
    .from(disbursementItems)
    .where(sql`(${propertyId}, ${id}) IN ${listedPairs(ids)}`);
}

export function openDisbursement(row: DisbursementRow) {
  return queries.insert(disbursements).values(row).onConflictDoNothing();
}

/** Selects which of these disbursements accept no more items. */
function selectClosed(names: readonly (readonly [propertyId: string, id: string])[]) {
  const { propertyId, id, status } = disbursements;
  return queries
    .select({ propertyId, id })
    .from(disbursements)
    .where(sql`${status} <> 'not_paid_out' AND (${propertyId}, ${id}) IN ${listedPairs(names)}`);
}

/** This service's record of a charge: its amounts with fees, and the terms of these. */
type KnownCharge = ReturnType<typeof selectKnownCharges>['_']['result'][number];

function selectKnownCharges(origins: readonly Origin[]) {
  const { captureAmountMinor, captureRequestedMinor, createdAtMs, reference, status } =
    transactions;
  const { amountMinor: amount, requestedMinor: requested } = transactions;
  // While a capture's outcome is unknown, the row keeps the amounts of the hold as well.
  const amountMinor = sql<number>`CASE ${status} WHEN 'Processing' THEN coalesce(${captureAmountMinor}, ${amount}) ELSE ${amount} END`;
  const requestedMinor = sql<number>`CASE ${status} WHEN 'Processing' THEN coalesce(${captureRequestedMinor}, ${requested}) ELSE ${requested} END`;
  return queries
    .select({
      reference,
      amountMinor,
      feeMinor: sql<number>`${amountMinor} - ${requestedMinor}`,
      terms: {
        cardFeeBasisPoints: transactions.feeBasisPoints,
        method: transactions.feeMethod,
        maximumMinor: transactions.feeMaximumMinor,
        transactionFeeMinor: transactions.transactionFeeMinor,
      },
      createdAtMs,
    })
    .from(transactions)
    .where(isChargeNamedBy(origins));
}

function selectKnownRefunds(origins: readonly Origin[]) {
  const { createdAtMs, reference } = refunds;
  return queries.select({ reference, createdAtMs }).from(refunds).where(isRefundNamedBy(origins));
}

function selectZones(propertyIds: readonly string[]) {
  const { id, timeZone, clockAheadMs, clockFrozenAtMs } = properties;
  return queries
    .select({ id, timeZone, clockAheadMs, clockFrozenAtMs })
    .from(properties)
    .where(inArray(id, listed(propertyIds)));
}
