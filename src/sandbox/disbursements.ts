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
import { Database, type Statement } from '../platform/db/database.ts';
import type { Env } from '../platform/env.ts';
import { Trace } from '../platform/trace.ts';
import { priceTaken } from '../records/properties/rules/takenPrice.ts';
import { type SequencedOperation, subjectOf } from './acquirer/operations.ts';
import {
  type KnownCharge,
  openDisbursement,
  selectClosed,
  selectKnownCharges,
  selectKnownRefunds,
  selectZones,
} from './disbursementStore.ts';
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
  const database = new Database(env.DB, trace);
  const { queries } = database;
  const [[progress], due] = await database.batch('d1.sweep.read', [
    selectProgress(queries, SOURCE),
    selectDueDisbursements(queries, nowMs, MOST_ADVANCED),
  ]);
  const after = Number(progress?.position ?? 0);
  const moved = await trace.span('gateway.payouts', () =>
    sandboxAcquirer(env).movementsAfter(after, MOST_PER_SWEEP),
  );
  const statements = await itemStatements(database, await withDetails(database, moved, nowMs));
  const last = moved.at(-1)?.sequence;
  const [first, ...rest] = [
    ...statements,
    ...(last === undefined ? [] : [saveProgress(queries, SOURCE, String(last))]),
  ];
  if (first) await database.batch('d1.disbursement.save', [first, ...rest]);
  // A closed day must have all its movements, so close none while the ledger has more.
  if (closes && moved.length < MOST_PER_SWEEP) {
    await advance(database, moved.length > 0 ? await readDue(database, nowMs) : due, nowMs);
  }
  return moved.length;
}

async function readDue(database: Database, nowMs: number) {
  const [due] = await database.batch('d1.disbursement.read', [
    selectDueDisbursements(database.queries, nowMs, MOST_ADVANCED),
  ]);
  return due;
}

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
  const { queries } = database;
  const references = moved.flatMap(({ reference }) => reference ?? []);
  const [zones, charges, refunds] = await database.batch('d1.disbursement.read', [
    selectZones(queries, [...new Set(moved.map(({ propertyId }) => propertyId))]),
    selectKnownCharges(queries, references),
    selectKnownRefunds(queries, references),
  ]);
  const zoneOf = new Map(
    zones.map(({ id, timeZone, ...clock }) => [
      id,
      { timeZone, nowMs: propertyTime(clock, realMs) },
    ]),
  );
  const charged = new Map(charges.map((row) => [row.reference, row]));
  const created = new Map(
    [...charges, ...refunds].map(({ createdAtMs, reference }) => [reference, createdAtMs]),
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

/** The statements that add movements to the disbursements of their days. */
async function itemStatements(
  database: Database,
  movements: readonly Movement[],
): Promise<Statement[]> {
  if (movements.length === 0) return [];
  const { queries } = database;
  const possible = movements.flatMap((movement) =>
    daysOf(movement).map((day) => [movement.propertyId, dayId(day)] as const),
  );
  const [closed] = await database.batch('d1.disbursement.read', [selectClosed(queries, possible)]);
  const names = new Set(closed.map(({ propertyId, id }) => nameOf(propertyId, id)));
  const isClosed = (propertyId: string, day: IsoDate) => names.has(nameOf(propertyId, dayId(day)));
  const opened = new Map<string, Statement>();
  const items = movements.map((movement) => {
    const day = dayOf(movement, isClosed);
    const name = nameOf(movement.propertyId, dayId(day));
    if (!opened.has(name)) {
      opened.set(name, openDisbursement(queries, disbursementOfDay(movement, day)));
    }
    return insertItem(queries, itemOf(movement, day));
  });
  const totals = [...opened.keys()].map((name) => {
    const [propertyId, id] = JSON.parse(name) as [string, string];
    return addUp(queries, propertyId, id);
  });
  return [...opened.values(), ...items, ...totals];
}

function nameOf(propertyId: string, id: string): string {
  return JSON.stringify([propertyId, id]);
}
