import type { GatewayMovement, Origin } from '../gateways/movements.ts';
import { fewAtOnce } from '../platform/fewAtOnce.ts';
import { selectArchivedAmong } from '../records/archive/store.ts';
import type { BookingName } from '../records/bookings/store.ts';
import type { ArchivedBookingRow } from '../schema/lifeTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import { compareArchived } from './archived.ts';
import { type Asked, accountOf, askForDispute, askForPayment, readCharges } from './ask.ts';
import { nameIn, ofThisDatabase, onlyPropertyOf } from './ofHome.ts';
import { noteLeft, progressOf, recordExceptions, runAfter } from './progress.ts';
import {
  type Difference,
  differenceOf,
  isUnderWay,
  type OurCharge,
  subjectOf,
  unknownOrigin,
  unknownPayment,
} from './rules/differences.ts';
import {
  markMovements,
  selectKnownBookings,
  selectPropertiesOf,
  selectUnmatched,
  type Unmatched,
} from './store.ts';
import type { LeasedRun, Paged, ReconciliationWork } from './work.ts';

/**
 * Compares one page of the acquirer's movements with the history. Where all agree, that is one round trip. For the
 * others the acquirer is asked; what differs even then is an exception.
 */
export async function compareMovements(
  work: ReconciliationWork,
  leased: LeasedRun,
): Promise<Paged> {
  const { account, cursor, fromMs, toMs } = leased.run;
  const page = await work.trace.span('gateway.movements', () =>
    work.gateway.movements({ account, fromMs, toMs, cursor }),
  );
  if (page.kind === 'unknown') return { kind: 'failed', reason: page.reason };
  const ofRun = page.movements.filter((movement) => isCompared(movement, leased.run));
  const movements = await ofThisDatabase(work, leased.run, ofRun);
  const matched = await matchPage(work, leased, movements);
  if (matched === null) return { kind: 'lost' };
  const { run, unmatched } = matched;
  const left = await reconcilePage(work, run, movements, unmatched);
  await noteLeft(
    work,
    run,
    left.map(({ difference, movement: { atMs } }) => ({ difference, atMs })),
  );
  work.counts.compared += movements.length;
  const differing = new Set(left.map(({ movement }) => subjectOf(movement)));
  const agreed = [...new Set(movements.map(subjectOf))].filter((one) => !differing.has(one));
  return { kind: 'done', leased: { run: runAfter(run, page.nextCursor, work.counts), agreed } };
}

/** Whether a run compares a movement: all of its account, or those of its property and those that name none. */
function isCompared(movement: GatewayMovement, { propertyId }: ReconciliationRunRow): boolean {
  const named = nameIn(movement);
  return named === null || propertyId === null || named === propertyId;
}

/** A movement that still differs once the acquirer was asked, and how; null where it had no answer, or is under way. */
interface Differing {
  readonly movement: GatewayMovement;
  readonly difference: Difference | null;
}

/** Saves the progress, marks what agrees and finds what does not; null if the lease was lost. One round trip. */
async function matchPage(
  work: ReconciliationWork,
  leased: LeasedRun,
  movements: readonly GatewayMovement[],
): Promise<{ run: ReconciliationRunRow; unmatched: Unmatched[] } | null> {
  const { database, gateway } = work;
  const { closed, run, saved } = progressOf(work, leased);
  const [isSaved, , , unmatched] = await database.batch('d1.reconciliation.save', [
    saved,
    closed,
    markMovements(gateway.name, movements, work.now()),
    selectUnmatched(gateway.name, movements),
  ]);
  return isSaved.length > 0 ? { run, unmatched } : null;
}

/**
 * Leaves out what archived bookings have, and goes on with the others. Returns the movements that still differ. What cannot be
 * read in the archive is left for a later run.
 */
async function reconcilePage(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  found: readonly Unmatched[],
): Promise<readonly Differing[]> {
  const without = found.filter(({ transactionId }) => transactionId === null);
  const missing = without.flatMap(({ at }) => movements[at] ?? []);
  const { archived, known } = await readNamed(work, missing);
  if (archived.length === 0) return reconcile(work, run, movements, found, known);
  const { agreed, unread } = await compareArchived(work, missing, archived);
  const settled = new Set([...agreed, ...unread]);
  const others = movements.filter((movement) => !settled.has(movement));
  const unmatched = await compareAgain(work, others);
  const left = await reconcile(work, run, others, unmatched, [...known, ...archived]);
  return [...left, ...unread.map((movement) => ({ movement, difference: null }))];
}

/** Which of the bookings that movements name are in D1, and which in the archive. One round trip, none where they name none. */
async function readNamed(
  { database }: ReconciliationWork,
  movements: readonly GatewayMovement[],
): Promise<{ known: readonly BookingName[]; archived: readonly ArchivedBookingRow[] }> {
  const named = movements.flatMap(({ about }) =>
    about ? [{ propertyId: about.propertyId, reference: about.bookingReference }] : [],
  );
  if (named.length === 0) return { known: [], archived: [] };
  const [known, archived] = await database.batch('d1.reconciliation.read', [
    selectKnownBookings(named),
    selectArchivedAmong(named),
  ]);
  return { known, archived };
}

/**
 * Has the known bookings take over what they lack, asks for each charge whose movements are not in the history, compares again,
 * and records what still differs. Returns the movements that do.
 */
async function reconcile(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  found: readonly Unmatched[],
  bookings: readonly BookingName[],
): Promise<readonly Differing[]> {
  if (found.length === 0) return [];
  const { corrected } = work.counts;
  await takeOverMissing(work, run, movements, found, bookings);
  const isTakenOver = work.counts.corrected > corrected;
  const unmatched = isTakenOver ? await compareAgain(work, movements) : found;
  const differing = unmatched.flatMap(({ at }) => movements[at] ?? []);
  const known = await findCharges(work, run, movements, unmatched);
  const unanswered = await askForEach(work, run.account, known);
  const ours = [...known.keys()];
  const again = ours.length > 0 ? await compareAgain(work, ours) : [];
  const stillDiffering = new Set(again.map(({ at }) => ours[at]));
  const left = differing.filter((movement) => !known.has(movement) || stillDiffering.has(movement));
  const after = await readCharges(
    work,
    [...known.values()].map(({ transaction }) => transaction.id),
  );
  const compared = left.map((movement) => {
    const charge = after.get(known.get(movement)?.transaction.id ?? 0);
    const isOpen = unanswered.has(movement) || isUnderWay(movement, charge);
    return { movement, difference: isOpen ? null : described(movement, charge) };
  });
  const differences = compared.flatMap(({ difference }) => difference ?? []);
  await recordExceptions(work, await attributed(work, run, differences));
  return compared;
}

/**
 * Has bookings take over the payments that the acquirer names as theirs and that are not here, or whose refunds are not:
 * D1 was restored to a time before them. What cannot be taken over stays a difference.
 */
async function takeOverMissing(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  unmatched: readonly Unmatched[],
  bookings: readonly BookingName[],
): Promise<void> {
  const named = new Map<string, Origin>();
  for (const { at, transactionId } of unmatched) {
    const movement = movements[at];
    if (transactionId !== null || !movement?.about || movement.payment === null) continue;
    named.set(movement.payment, movement.about);
  }
  const isKnown = ({ bookingReference, propertyId }: Origin) =>
    bookings.some((one) => one.propertyId === propertyId && one.reference === bookingReference);
  const wanted = [...named].filter(([, about]) => isKnown(about));
  await fewAtOnce(wanted, ([payment]) => takeOver(work, run, payment));
}

/** The acquirer says whose a payment is: a refund names only itself. */
async function takeOver(
  work: ReconciliationWork,
  { account }: ReconciliationRunRow,
  payment: string,
): Promise<void> {
  const { counts, gateway, trace } = work;
  counts.calls += 1;
  const report = await trace.span('gateway.payment', () => gateway.payment(payment, account));
  const about = report.kind === 'payment' ? report.payment.about : null;
  if (about) await askForPayment(work, about, account, payment);
}

/** The charges that movements without an entry are about. One of another property, or of a card on another account, is none. */
async function findCharges(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  unmatched: readonly Unmatched[],
): Promise<Map<GatewayMovement, OurCharge>> {
  const ids = [...new Set(unmatched.flatMap(({ transactionId }) => transactionId ?? []))];
  const charges = await readCharges(work, ids);
  return new Map(
    unmatched.flatMap(({ at, transactionId }) => {
      const movement = movements[at];
      const charge = charges.get(transactionId ?? 0);
      const isOurs =
        charge &&
        movement?.about?.propertyId === charge.transaction.propertyId &&
        accountOf(work, charge) === run.account;
      return isOurs ? [[movement, charge] as const] : [];
    }),
  );
}

/** Asks once for each payment and each dispute. Returns the movements for which that got no answer. */
async function askForEach(
  work: ReconciliationWork,
  account: string | null,
  known: ReadonlyMap<GatewayMovement, OurCharge>,
): Promise<ReadonlySet<GatewayMovement>> {
  const groups = Map.groupBy(
    known,
    ([movement, { transaction }]) =>
      `${transaction.id} ${isOfDispute(movement) ? movement.subject : movement.payment}`,
  );
  const unanswered = await fewAtOnce([...groups.values()], async (group) => {
    const { kind } = await askFor(work, account, group[0] as Known);
    return kind === 'unanswered' ? group.map(([movement]) => movement) : [];
  });
  return new Set(unanswered.flat());
}

type Known = readonly [GatewayMovement, OurCharge];

function askFor(
  work: ReconciliationWork,
  account: string | null,
  [movement, { transaction }]: Known,
): Promise<Asked> {
  return isOfDispute(movement)
    ? askForDispute(work, transaction, account, movement.subject)
    : askForPayment(work, transaction, account, movement.payment);
}

function isOfDispute({ kind }: GatewayMovement): boolean {
  return kind === 'dispute' || kind === 'dispute_reversal';
}

/** Marks what agrees now, and finds what does not. */
async function compareAgain(
  { database, gateway, now }: ReconciliationWork,
  movements: readonly GatewayMovement[],
): Promise<Unmatched[]> {
  const [, unmatched] = await database.batch('d1.reconciliation.save', [
    markMovements(gateway.name, movements, now()),
    selectUnmatched(gateway.name, movements),
  ]);
  return unmatched;
}

function described(movement: GatewayMovement, charge: OurCharge | undefined): Difference {
  const { about } = movement;
  if (about === null) {
    return {
      ...unknownPayment(movement),
      propertyId: movement.propertyId ?? null,
      bookingReference: null,
    };
  }
  const { bookingReference, propertyId } = about;
  const found = charge ? differenceOf(movement, charge) : unknownOrigin(movement);
  return { ...found, propertyId, bookingReference };
}

/**
 * Gives each difference its property: what the acquirer names counts only if that property is on this account. Without
 * a name it is the property that the run compares, or the only one of the account.
 */
async function attributed(
  work: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
  differences: readonly Difference[],
): Promise<Difference[]> {
  if (differences.length === 0) return [];
  const names = [...new Set(differences.flatMap((one) => one.propertyId ?? []))];
  const { accounts, database } = work;
  const [named, all] = await database.batch('d1.reconciliation.read', [
    selectPropertiesOf(accounts, account, names, names.length),
    selectPropertiesOf(accounts, account, null, 2),
  ]);
  const onAccount = new Set(named.map(({ id }) => id));
  const [first = null] = all.length === 1 ? all.map(({ id }) => id) : [];
  const only = propertyId ?? (database.isMany ? await onlyPropertyOf(work, account) : first);
  return differences.map((one) =>
    one.propertyId !== null && onAccount.has(one.propertyId)
      ? one
      : { ...one, propertyId: only, bookingReference: null },
  );
}
