import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import {
  type Asked,
  accountOf,
  askForPayment,
  correctionsOf,
  inGroups,
  readCharges,
} from './ask.ts';
import { progressOf, recordExceptions, runAfter } from './progress.ts';
import { type Difference, holdMissingThere, type OurCharge } from './rules/differences.ts';
import { type HoldWindow, type ListCursor, selectHolds, selectLastWaiting } from './store.ts';
import { type Refreshed, refreshUnlisted } from './unlisted.ts';
import type { LeasedRun, Paged, ReconciliationWork } from './work.ts';

/** How many waiting transactions one page reads, and for how many holds among them it asks. */
const SCANNED = 2_000;
const ASKED = 50;

/**
 * Asks the acquirer for one page of our holds: one that was captured or let go there moves no money that a list would
 * show. The nightly run asks for all of them, other runs for those made in their span. The first page asks for
 * disputes and ended holds too.
 */
export async function refreshHolds(work: ReconciliationWork, leased: LeasedRun): Promise<Paged> {
  const { database } = work;
  const { queries } = database;
  const { closed, run, saved } = progressOf(work, leased);
  const window = windowOf(run);
  const [isSaved, , holds, [lastWaiting]] = await database.batch('d1.reconciliation.save', [
    saved,
    closed,
    selectHolds(queries, window, SCANNED, ASKED),
    selectLastWaiting(queries, window, SCANNED),
  ]);
  if (isSaved.length === 0) return { kind: 'lost' };
  const charges = await readCharges(
    work,
    holds.map(({ id }) => id),
  );
  const ofAccount = [...charges.values()].filter(
    (charge) => accountOf(work, charge) === run.account,
  );
  const asked = await inGroups(ofAccount, (charge) => refresh(work, charge));
  const exceptions = await recordExceptions(work, asked.flatMap(missingOf));
  const isFirst = run.cursor === null;
  const besides = isFirst ? await refreshUnlisted(work, run) : NOTHING;
  const last = holds.length === ASKED ? holds.at(-1) : lastWaiting;
  const cursor = last ? JSON.stringify([last.dueAtMs, last.id]) : null;
  const corrected = asked.reduce((sum, { answer }) => sum + correctionsOf(answer), 0);
  return {
    kind: 'done',
    leased: {
      run: runAfter(run, cursor, { corrected: corrected + besides.corrected, exceptions }),
      agreed: [...asked.flatMap(agreedOf), ...besides.agreed],
    },
    calls: ofAccount.length + besides.calls,
  };
}

const NOTHING: Refreshed = { corrected: 0, agreed: [], calls: 0 };

function windowOf(run: ReconciliationRunRow): HoldWindow {
  const { cause, cursor, fromMs, gateway, propertyId, toMs } = run;
  return {
    gateway: gateway as HoldWindow['gateway'],
    propertyId,
    madeFromMs: cause === 'nightly' || cause === 'clock' ? 0 : fromMs,
    madeToMs: toMs,
    after: cursor === null ? null : (JSON.parse(cursor) as ListCursor),
  };
}

interface AskedHold {
  readonly charge: OurCharge;
  readonly answer: Asked;
}

/** Has the booking read the acquirer's record of a hold. */
async function refresh(work: ReconciliationWork, charge: OurCharge): Promise<AskedHold> {
  const { transaction } = charge;
  const account = accountOf(work, charge) ?? null;
  const answer = await askForPayment(work, transaction, account, transaction.gatewayReference);
  return { charge, answer };
}

function missingOf({ answer, charge }: AskedHold): Difference[] {
  const { bookingReference, propertyId } = charge.transaction;
  if (answer.kind !== 'absent') return [];
  return [{ ...holdMissingThere(charge), propertyId, bookingReference }];
}

function agreedOf({ answer, charge }: AskedHold): string[] {
  return answer.kind === 'asked' ? [holdMissingThere(charge).subject] : [];
}
