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
import { listed } from '../platform/db/listed.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import { isChargeNamedBy, isRefundNamedBy } from '../records/history/chargesStore.ts';
import { priceTaken } from '../records/properties/rules/takenPrice.ts';
import { type DisbursementRow, disbursements } from '../schema/disbursementTables.ts';
import { refunds, transactions } from '../schema/moneyTables.ts';
import { properties } from '../schema/propertyTables.ts';
import { type SequencedOperation, subjectOf } from './acquirer/operations.ts';
import { dayId, dayOf, daysOf, disbursementOfDay, itemOf, type Movement } from './rules/days.ts';
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

async function sweep(env: Env, nowMs: number, closes: boolean): Promise<number> {
  const trace = new Trace();
  const database = openDatabase(env, trace);
  const found = await database.everywhere('d1.sweep.read', [
    selectProgress(SOURCE),
    selectDueDisbursements(nowMs, MOST_ADVANCED),
  ]);
  const progress = found[0]?.[0][0];
  const due = found.flatMap(([, own]) => own);
  const after = Number(progress?.position ?? 0);
  const moved = await trace.span('gateway.payouts', () =>
    sandboxAcquirer(env).movementsAfter(after, MOST_PER_SWEEP),
  );
  const items = await itemStatements(database, await withDetails(database, moved, nowMs));
  const last = moved.at(-1)?.sequence;
  await saveItems(database, items, last === undefined ? [] : [saveProgress(SOURCE, String(last))]);
  // A closed day must have all its movements, so close none while the ledger has more.
  if (closes && moved.length < MOST_PER_SWEEP) {
    await advanceAll(database, moved.length > 0 ? await readDue(database, nowMs) : due, nowMs);
  }
  return moved.length;
}

function readDue(database: Database, nowMs: number) {
  return database.rowsAnywhere(
    'd1.disbursement.read',
    selectDueDisbursements(nowMs, MOST_ADVANCED),
  );
}

/** Saves items and then the progress: in one batch where there is one database, else each where its property lives. */
async function saveItems(
  database: Database,
  items: ReadonlyMap<string, readonly Statement[]>,
  progress: readonly Statement[],
): Promise<void> {
  const batches = database.isMany
    ? [...[...items].map(([id, own]) => [database.of(id), own] as const), [database, progress]]
    : [[database, [...items.values(), progress].flat()] as const];
  for (const [one, [first, ...rest]] of batches as [Database, Statement[]][]) {
    if (first) await one.batch('d1.disbursement.save', [first, ...rest]);
  }
}

async function advanceAll(database: Database, due: DueRows, nowMs: number): Promise<void> {
  if (!database.isMany) return advance(database, due, nowMs);
  for (const [propertyId, own] of Map.groupBy(due, (row) => row.propertyId)) {
    await advance(database.of(propertyId), own, nowMs);
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
  const found = await database.everywhere('d1.disbursement.read', [
    selectZones([...new Set(moved.map(({ propertyId }) => propertyId))]),
    selectKnownCharges(origins),
    selectKnownRefunds(origins),
  ]);
  const zones = found.flatMap(([own]) => own);
  const charges = found.flatMap(([, own]) => own);
  const givenBack = found.flatMap(([, , own]) => own);
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

/** The statements that add movements to the disbursements of their days, by property. */
async function itemStatements(
  database: Database,
  movements: readonly Movement[],
): Promise<Map<string, Statement[]>> {
  if (movements.length === 0) return new Map();
  const possible = movements.flatMap((movement) =>
    daysOf(movement).map((day) => [movement.propertyId, dayId(movement.propertyId, day)] as const),
  );
  const closed = await database.rowsAnywhere('d1.disbursement.read', selectClosed(possible));
  const names = new Set(closed.map(({ propertyId, id }) => `${propertyId} ${id}`));
  const isClosed = (propertyId: string, day: IsoDate) =>
    names.has(`${propertyId} ${dayId(propertyId, day)}`);
  const placed = movements.map((movement) => ({ movement, day: dayOf(movement, isClosed) }));
  const days = new Map(
    placed.map((one) => [`${one.movement.propertyId} ${one.day}`, one]),
  ).values();
  const statements = new Map<string, Statement[]>();
  for (const { movement, day } of days) {
    const { propertyId } = movement;
    const ofDay = placed.filter((one) => one.day === day && one.movement.propertyId === propertyId);
    statements.set(propertyId, [
      ...(statements.get(propertyId) ?? []),
      openDisbursement(disbursementOfDay(movement, day)),
      ...ofDay.map((one) => insertItem(itemOf(one.movement, day))),
      addUp(propertyId, dayId(propertyId, day)),
    ]);
  }
  return statements;
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
    .where(
      sql`${status} <> 'not_paid_out' AND (${propertyId}, ${id}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(names)}))`,
    );
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
