import type { GatewayMovement } from '../gateways/movements.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import {
  type Asked,
  accountOf,
  askForDispute,
  askForPayment,
  correctionsOf,
  inGroups,
  readCharges,
} from './ask.ts';
import { takeOverMissing } from './missing.ts';
import { progressOf, recordExceptions, runAfter } from './progress.ts';
import {
  type Difference,
  differenceOf,
  isUnderWay,
  type OurCharge,
  subjectOf,
  unknownOrigin,
  unknownPayment,
} from './rules/differences.ts';
import { markMovements, selectPropertiesOf, selectUnmatched, type Unmatched } from './store.ts';
import type { LeasedRun, Paged, ReconciliationWork } from './work.ts';

/** The result of reconciling a page's differences. */
interface Reconciled {
  readonly corrected: number;
  readonly exceptions: number;
  /** The movements that still differ. */
  readonly left: readonly GatewayMovement[];
  readonly calls: number;
}

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
  const movements = page.movements.filter((movement) => isCompared(movement, leased.run));
  const matched = await matchPage(work, leased, movements);
  if (matched === null) return { kind: 'lost' };
  const { run, unmatched } = matched;
  const reconciled = await reconcilePage(work, run, movements, unmatched);
  const { calls, corrected, exceptions, left } = reconciled;
  const counts = { compared: movements.length, corrected, exceptions };
  const agreed = subjectsWithout(movements, left);
  return {
    kind: 'done',
    leased: { run: runAfter(run, page.nextCursor, counts), agreed },
    calls,
  };
}

/** Whether a run compares a movement: all of its account, or those of its property and those that name none. */
function isCompared(
  { about, propertyId: known }: GatewayMovement,
  { propertyId }: ReconciliationRunRow,
): boolean {
  const named = about?.propertyId ?? known ?? null;
  return named === null || propertyId === null || named === propertyId;
}

function subjectsWithout(
  movements: readonly GatewayMovement[],
  left: readonly GatewayMovement[],
): string[] {
  const differing = new Set(left.map(subjectOf));
  return [...new Set(movements.map(subjectOf))].filter((subject) => !differing.has(subject));
}

/** Saves the progress, marks what agrees and finds what does not; null if the lease was lost. One round trip. */
async function matchPage(
  work: ReconciliationWork,
  leased: LeasedRun,
  movements: readonly GatewayMovement[],
): Promise<{ run: ReconciliationRunRow; unmatched: Unmatched[] } | null> {
  const { database, gateway } = work;
  const { queries } = database;
  const { closed, run, saved } = progressOf(work, leased);
  const [isSaved, , , unmatched] = await database.batch('d1.reconciliation.save', [
    saved,
    closed,
    markMovements(queries, gateway.name, movements, work.now()),
    selectUnmatched(queries, gateway.name, movements),
  ]);
  return isSaved.length > 0 ? { run, unmatched } : null;
}

/**
 * Has bookings take over what they lack, asks for each charge whose movements are not in the history, compares again, and
 * records what still differs.
 */
async function reconcilePage(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  movements: readonly GatewayMovement[],
  found: readonly Unmatched[],
): Promise<Reconciled> {
  if (found.length === 0) return { corrected: 0, exceptions: 0, left: [], calls: 0 };
  const taken = await takeOverMissing(work, run, movements, found);
  const unmatched = taken.corrected > 0 ? await compareAgain(work, movements) : found;
  const differing = unmatched.flatMap(({ at }) => movements[at] ?? []);
  const known = await findCharges(work, run, movements, unmatched);
  const asked = await askForEach(work, run.account, known);
  const ours = [...known.keys()];
  const again = ours.length > 0 ? await compareAgain(work, ours) : [];
  const stillDiffering = new Set(again.map(({ at }) => ours[at]));
  const left = differing.filter((movement) => !known.has(movement) || stillDiffering.has(movement));
  const after = await readCharges(
    work,
    [...known.values()].map(({ transaction }) => transaction.id),
  );
  const chargeOf = (movement: GatewayMovement) =>
    after.get(known.get(movement)?.transaction.id ?? 0);
  const differences = left
    .filter((movement) => !asked.unanswered.has(movement))
    .filter((movement) => !isUnderWay(movement, chargeOf(movement)))
    .map((movement) => described(movement, chargeOf(movement)));
  return {
    corrected: taken.corrected + asked.corrected,
    exceptions: await recordExceptions(work, await attributed(work, run, differences)),
    left,
    calls: taken.calls + asked.calls,
  };
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

interface AskedAll {
  readonly corrected: number;
  readonly unanswered: ReadonlySet<GatewayMovement>;
  readonly calls: number;
}

/** Asks once for each payment and each dispute. */
async function askForEach(
  work: ReconciliationWork,
  account: string | null,
  known: ReadonlyMap<GatewayMovement, OurCharge>,
): Promise<AskedAll> {
  const groups = [...Map.groupBy(known, questionOf).values()];
  const asked = await inGroups(groups, async (group) => ({
    group,
    answer: await askFor(work, account, group[0] as Known),
  }));
  const unanswered = asked.flatMap(({ answer, group }) =>
    answer.kind === 'unanswered' ? group : [],
  );
  return {
    corrected: asked.reduce((sum, { answer }) => sum + correctionsOf(answer), 0),
    unanswered: new Set(unanswered.map(([movement]) => movement)),
    calls: groups.length,
  };
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

function questionOf([movement, { transaction }]: Known): string {
  return `${transaction.id} ${isOfDispute(movement) ? movement.subject : movement.payment}`;
}

function isOfDispute({ kind }: GatewayMovement): boolean {
  return kind === 'dispute' || kind === 'dispute_reversal';
}

/** Marks what agrees now, and finds what does not. */
async function compareAgain(
  { database, gateway, now }: ReconciliationWork,
  movements: readonly GatewayMovement[],
): Promise<Unmatched[]> {
  const { queries } = database;
  const [, unmatched] = await database.batch('d1.reconciliation.save', [
    markMovements(queries, gateway.name, movements, now()),
    selectUnmatched(queries, gateway.name, movements),
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
  { accounts, database }: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
  differences: readonly Difference[],
): Promise<Difference[]> {
  if (differences.length === 0) return [];
  const { queries } = database;
  const names = [...new Set(differences.flatMap((one) => one.propertyId ?? []))];
  const [named, all] = await database.batch('d1.reconciliation.read', [
    selectPropertiesOf(queries, accounts, account, names, names.length),
    selectPropertiesOf(queries, accounts, account, null, 2),
  ]);
  const onAccount = new Set(named.map(({ id }) => id));
  const only = propertyId ?? (all.length === 1 ? (all[0]?.id ?? null) : null);
  return differences.map((one) =>
    one.propertyId !== null && onAccount.has(one.propertyId)
      ? one
      : { ...one, propertyId: only, bookingReference: null },
  );
}
