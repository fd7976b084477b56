import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { type Asked, askForPayment, correctionsOf, inGroups } from './ask.ts';
import { accountOf, readCharges } from './charges.ts';
import { refreshEndedHolds } from './endedHolds.ts';
import { recordExceptions } from './exceptions.ts';
import { findNewDisputes } from './newDisputes.ts';
import { refreshOpenDisputes } from './openDisputes.ts';
import { progressOf } from './progress.ts';
import { type Difference, holdMissingThere, type OurCharge, phaseAfter } from './rules.ts';
import { type HoldWindow, type Position, selectHolds, selectLastWaiting } from './store.ts';
import { type Refreshed, refreshUnasked } from './unaskedSchedules.ts';
import type { Held, Paged, ReconciliationWork } from './work.ts';

/** How many waiting transactions one page reads, and for how many holds among them it asks. */
const SCANNED = 2_000;
const ASKED = 50;

/**
 * Asks the acquirer for one page of our holds: one that was captured or let go there moves no money that a list would
 * show. The nightly run asks for all of them, other runs for those made in their span. The first page asks for
 * disputes and ended holds too.
 */
export async function refreshHolds(work: ReconciliationWork, held: Held): Promise<Paged> {
  const { database } = work;
  const { queries } = database;
  const { closed, leased, saved } = progressOf(work, held);
  const window = windowOf(held);
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
    (charge) => accountOf(work, charge) === leased.account,
  );
  const asked = await inGroups(ofAccount, (charge) => refresh(work, charge));
  const found = await recordExceptions(work, asked.flatMap(missingOf));
  const isFirst = held.run.cursor === null;
  const besides = isFirst ? await refreshBesides(work, leased) : NOTHING;
  const last = holds.length === ASKED ? holds.at(-1) : lastWaiting;
  const run = {
    ...leased,
    ...(last
      ? { cursor: JSON.stringify([last.dueAtMs, last.id]) }
      : { cursor: null, phase: phaseAfter(leased.phase) }),
    corrected:
      leased.corrected +
      besides.corrected +
      asked.reduce((sum, { answer }) => sum + correctionsOf(answer), 0),
    exceptions: leased.exceptions + found,
  };
  return {
    kind: 'done',
    held: { run, agreed: [...asked.flatMap(agreedOf), ...besides.agreed] },
    calls: ofAccount.length + besides.calls,
  };
}

const NOTHING: Refreshed = { corrected: 0, agreed: [], calls: 0 };

/**
 * Asks once a run for what else no list of movements shows: open disputes, and, but for the hourly run, new disputes, holds
 * that ended in doubt, and schedules that ended unasked.
 */
async function refreshBesides(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Refreshed> {
  const open = await refreshOpenDisputes(work, run);
  if (run.cause === 'hourly') return { ...open, agreed: [] };
  const news = await findNewDisputes(work, run);
  const ended = await refreshEndedHolds(work, run);
  const unasked = await refreshUnasked(work, run);
  return {
    corrected: open.corrected + news.corrected + ended.corrected + unasked.corrected,
    agreed: unasked.agreed,
    calls: open.calls + news.calls + ended.calls + unasked.calls,
  };
}

function windowOf({ run }: Held): HoldWindow {
  const { cause, cursor, fromMs, gateway, propertyId, toMs } = run;
  return {
    gateway: gateway as HoldWindow['gateway'],
    propertyId,
    madeFromMs: cause === 'nightly' || cause === 'clock' ? 0 : fromMs,
    madeToMs: toMs,
    after: cursor === null ? null : (JSON.parse(cursor) as Position),
  };
}

/** A hold, and what asking for it came to. */
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
