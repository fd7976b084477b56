import { type Asked, askForPayment, inGroups, readChargesOn } from './ask.ts';
import { progressOf, recordExceptions, runAfter } from './progress.ts';
import { holdMissingThere } from './rules/differences.ts';
import { selectHolds, selectLastWaiting } from './store.ts';
import { refreshUnlisted } from './unlisted.ts';
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
  const { closed, run, saved } = progressOf(work, leased);
  const [isSaved, , holds, [lastWaiting]] = await database.batch('d1.reconciliation.save', [
    saved,
    closed,
    selectHolds(run, SCANNED, ASKED),
    selectLastWaiting(run, SCANNED),
  ]);
  if (isSaved.length === 0) return { kind: 'lost' };
  const ofAccount = await readChargesOn(work, run.account, holds);
  const asked = await inGroups(ofAccount, async (charge) => {
    const { bookingReference, gatewayReference, propertyId } = charge.transaction;
    const answer = await askForPayment(work, charge.transaction, run.account, gatewayReference);
    return { answer, missing: { ...holdMissingThere(charge), propertyId, bookingReference } };
  });
  const answered = (kind: Asked['kind']) =>
    asked.flatMap(({ answer, missing }) => (answer.kind === kind ? missing : []));
  await recordExceptions(work, answered('absent'));
  const agreedBesides = run.cursor === null ? await refreshUnlisted(work, run) : [];
  const last = holds.length === ASKED ? holds.at(-1) : lastWaiting;
  const cursor = last ? JSON.stringify([last.dueAtMs, last.id]) : null;
  const agreed = [...answered('asked').map(({ subject }) => subject), ...agreedBesides];
  return { kind: 'done', leased: { run: runAfter(run, cursor, work.counts), agreed } };
}
