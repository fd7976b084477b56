import type { IsoDate } from '../core/time.ts';
import { Database, type Statement } from '../db/database.ts';
import type { Env } from '../env.ts';
import { sandboxAcquirer } from '../gateways/sandbox/gateway.ts';
import type { LedgerMovement } from '../gateways/sandbox/ledger.ts';
import { Crossings } from '../io/crossings.ts';
import { dayId, dayOf, daysOf, disbursementOfDay, itemOf, type Movement } from './days.ts';
import {
  insertItem,
  type KnownMovement,
  moveDueOn,
  openDisbursement,
  saveProgress,
  selectClosed,
  selectKnownCharges,
  selectKnownRefunds,
  selectProgress,
  selectZones,
} from './store.ts';

/** How many movements one sweep deals with; the next sweep goes on. */
const MOST_PER_SWEEP = 200;

const SOURCE = 'sandbox';

/** How long our references are: what stands behind one in a gateway's key counts the attempts. */
const REFERENCE_LENGTH = 32;

/**
 * Pays out as the embedded acquirer does: each movement of money in its ledger goes into the disbursement of its
 * property's local day, and disbursements whose time has come are closed or paid out (decisions: section 11). Run by the
 * Cron Triggers; running it again changes nothing.
 */
export async function sweepSandboxDisbursements(env: Env, nowMs: number): Promise<number> {
  const crossings = new Crossings();
  const database = new Database(env.DB, crossings);
  const { queries } = database;
  const [[progress]] = await database.batch('d1.sweep.read', [selectProgress(queries, SOURCE)]);
  const after = Number(progress?.position ?? 0);
  const moved = await crossings.cross('gateway.payouts', () =>
    sandboxAcquirer(env).movements(after, MOST_PER_SWEEP),
  );
  const placed = await place(database, await describe(database, moved), nowMs);
  const last = moved.at(-1)?.sequence;
  const [first, ...rest] = [
    ...placed,
    ...(last === undefined ? [] : [saveProgress(queries, SOURCE, String(last))]),
    // What is closed has all of its movements: while there are more, nothing is.
    ...(moved.length < MOST_PER_SWEEP ? [moveDueOn(queries, nowMs)] : []),
  ];
  if (first) await database.batch('d1.disbursement.save', [first, ...rest]);
  return moved.length;
}

/** The acquirer's movements with what only this service knows of them. */
async function describe(database: Database, moved: readonly LedgerMovement[]): Promise<Movement[]> {
  if (moved.length === 0) return [];
  const { queries } = database;
  const references = moved.map(referenceOf);
  const [zones, charges, refunds] = await database.batch('d1.disbursement.read', [
    selectZones(queries, [...new Set(moved.map(({ propertyId }) => propertyId))]),
    selectKnownCharges(queries, references),
    selectKnownRefunds(queries, references),
  ]);
  const zoneOf = new Map(zones.map(({ id, timeZone }) => [id, timeZone]));
  const known = new Map([...charges, ...refunds].map((row) => [row.reference, row]));
  return moved.flatMap((movement) => {
    const timeZone = zoneOf.get(movement.propertyId);
    const row = known.get(referenceOf(movement));
    // Whoever asked for it wrote it down first, so that both are there.
    return timeZone && row ? [movementOf(movement, row, timeZone)] : [];
  });
}

function referenceOf({ idempotencyKey }: LedgerMovement): string {
  return idempotencyKey.slice(0, REFERENCE_LENGTH);
}

function movementOf(
  { kind, amountMinor, ...movement }: LedgerMovement,
  known: KnownMovement,
  timeZone: string,
): Movement {
  return {
    ...movement,
    timeZone,
    kind: kind === 'refund' ? 'refund' : 'sale',
    amountMinor,
    feeMinor: amountMinor - known.netOfFeesMinor,
    description: known.description ?? '',
    createdAtMs: known.createdAtMs,
  };
}

/** The statements that put movements into the disbursements of their days. */
async function place(
  database: Database,
  movements: readonly Movement[],
  nowMs: number,
): Promise<Statement[]> {
  if (movements.length === 0) return [];
  const { queries } = database;
  const possible = movements.flatMap((movement) =>
    daysOf(movement, nowMs).map((day) => [movement.propertyId, dayId(day)] as const),
  );
  const [closed] = await database.batch('d1.disbursement.read', [selectClosed(queries, possible)]);
  const names = new Set(closed.map(({ propertyId, id }) => nameOf(propertyId, id)));
  const isClosed = (propertyId: string, day: IsoDate) => names.has(nameOf(propertyId, dayId(day)));
  const opened = new Map<string, Statement>();
  const items = movements.map((movement) => {
    const day = dayOf(movement, isClosed, nowMs);
    const name = nameOf(movement.propertyId, day);
    if (!opened.has(name)) {
      opened.set(name, openDisbursement(queries, disbursementOfDay(movement, day)));
    }
    return insertItem(queries, itemOf(movement, day));
  });
  return [...opened.values(), ...items];
}

function nameOf(propertyId: string, id: string): string {
  return JSON.stringify([propertyId, id]);
}
