import { MINUTE_MS } from '../core/time.ts';
import type { LookUp, LookUpRequest } from '../gateways/gateway.ts';
import type { DisputePage, MovementQuery } from '../gateways/movements.ts';
import { fewAtOnce } from '../platform/fewAtOnce.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import {
  type Asked,
  accountOf,
  askForDispute,
  askForPayment,
  readCharges,
  readChargesOn,
} from './ask.ts';
import { selectHolds } from './holdStore.ts';
import { progressOf, recordExceptions, runAfter } from './progress.ts';
import { holdMissingThere, type OurCharge } from './rules/differences.ts';
import {
  countOpenDisputes,
  selectDoubtfulHolds,
  selectOpenDisputes,
  selectUnasked,
  selectUnknownArchived,
  selectUnknownDisputes,
} from './unlistedStore.ts';
import type { LeasedRun, Paged, ReconciliationWork } from './work.ts';

/** How many open disputes one run asks for. Where there are more, each minute has others. */
const DISPUTES_ASKED = 500;

/** How many pages of new disputes one run reads at most. */
const DISPUTE_PAGES = 10;

/** For how many doubtful holds, and schedules that ended unasked, one run asks: an outage leaves few. */
const DOUBTFUL_ASKED = 200;

/**
 * Asks once a run for what moves no money that a list of movements would show: open disputes, and, but for the hourly run,
 * new disputes, holds that ended in doubt, and schedules that ended unasked. Returns the subjects that agree now.
 */
async function refreshUnlisted(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<readonly string[]> {
  await refreshOpenDisputes(work, run);
  if (run.cause === 'hourly') return [];
  await findNewDisputes(work, run);
  await refreshEndedHolds(work, run);
  return refreshUnasked(work, run);
}

/** Asks for open disputes: one that is lost, or answered, moves no money. */
async function refreshOpenDisputes(
  work: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
): Promise<void> {
  const { database } = work;
  const [[counted]] = await database.batch('d1.reconciliation.read', [
    countOpenDisputes(propertyId),
  ]);
  const many = counted?.many ?? 0;
  if (many === 0) return;
  const pages = Math.ceil(many / DISPUTES_ASKED);
  const offset = DISPUTES_ASKED * (Math.floor(work.now() / MINUTE_MS) % pages);
  const [open] = await database.batch('d1.reconciliation.read', [
    selectOpenDisputes(propertyId, { limit: DISPUTES_ASKED, offset }),
  ]);
  await refreshDisputes(work, account, open);
}

/**
 * Asks for the disputes that were opened in the run's span, and has bookings read those that are not here. An inquiry
 * withdraws nothing, so that no movement shows it. One of an archived booking brings that back. What the acquirer does not list
 * now, the next run reads.
 */
async function findNewDisputes(
  work: ReconciliationWork,
  { account, fromMs, propertyId, toMs }: ReconciliationRunRow,
): Promise<void> {
  const { counts, database, gateway, trace } = work;
  let cursor: string | null = null;
  for (let pages = 0; pages < DISPUTE_PAGES; pages += 1) {
    const query: MovementQuery = { account, fromMs, toMs, cursor };
    const page: DisputePage = await trace.span('gateway.dispute', () => gateway.disputes(query));
    counts.calls += 1;
    if (page.kind === 'unknown') return;
    if (page.disputes.length > 0) {
      const [unknown, archived] = await database.batch('d1.reconciliation.read', [
        selectUnknownDisputes(page.disputes, propertyId),
        selectUnknownArchived(page.disputes, propertyId),
      ]);
      await refreshDisputes(work, account, unknown);
      await fewAtOnce(archived, ({ id, ...charge }) => askForDispute(work, charge, account, id));
    }
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

/** Has the bookings of charges on this account read their disputes. */
async function refreshDisputes(
  work: ReconciliationWork,
  account: string | null,
  disputes: readonly { readonly id: string; readonly transactionId: number }[],
): Promise<void> {
  const charges = await readCharges(work, [
    ...new Set(disputes.map(({ transactionId }) => transactionId)),
  ]);
  await fewAtOnce(disputes, async ({ id, transactionId }) => {
    const charge = charges.get(transactionId);
    if (!charge || accountOf(work, charge) !== account) return;
    await askForDispute(work, charge.transaction, account, id);
  });
}

/**
 * Asks for holds whose outcome was not known and which count as failed since, by an administrator's decision or because the
 * acquirer did not have them: one that is held there moves no money.
 */
async function refreshEndedHolds(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<void> {
  const { database } = work;
  const [doubtful] = await database.batch('d1.reconciliation.read', [
    selectDoubtfulHolds(run, DOUBTFUL_ASKED),
  ]);
  const ofAccount = await readChargesOn(work, run.account, doubtful);
  await fewAtOnce(ofAccount, async (charge) => {
    const payment = await findHold(work, charge);
    await askForPayment(work, charge.transaction, run.account, payment);
  });
}

/** The acquirer's id of the hold that was sent; null if there is none, or it does not say. */
async function findHold(
  work: ReconciliationWork,
  { gatewayToken, transaction }: OurCharge,
): Promise<string | null> {
  const { askedAtMs, createdAtMs, gatewayKey } = transaction;
  if (gatewayKey === null || gatewayToken === null) return null;
  const found = await lookUp(work, transaction, {
    kind: 'authorization',
    idempotencyKey: gatewayKey,
    gatewayToken,
    sinceMs: askedAtMs ?? createdAtMs,
    untilMs: work.now(),
  });
  return found.kind === 'approved' ? found.gatewayReference : null;
}

function lookUp(
  { counts, gateway, trace }: ReconciliationWork,
  { propertyId, reference }: TransactionRow,
  asked: Omit<LookUpRequest, 'propertyId' | 'reference' | 'gatewayReference'>,
): Promise<LookUp> {
  counts.calls += 1;
  const about = { propertyId, reference, gatewayReference: null };
  return trace.span('gateway.lookUp', () => gateway.lookUp({ ...about, ...asked }));
}

/**
 * Asks for schedules that ended although the acquirer could not be asked. What it has is corrected; either way the records
 * agree then. Returns the subjects of those that it said something of.
 */
async function refreshUnasked(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<readonly string[]> {
  const { database } = work;
  const [rows] = await database.batch('d1.reconciliation.read', [
    selectUnasked(run, DOUBTFUL_ASKED),
  ]);
  const unasked = [...Map.groupBy(rows, ({ subject }) => subject)].flatMap(([subject, of]) => {
    const [first] = of;
    const tokens = of.map(({ gatewayToken }) => gatewayToken);
    return first ? [{ subject, transaction: first.transaction, tokens }] : [];
  });
  const ofAccount = unasked.filter(({ tokens }) =>
    tokens.every((token) => work.gateway.accountOf(token) === run.account),
  );
  const asked = await fewAtOnce(ofAccount, async ({ subject, ...one }) =>
    (await agrees(work, run, one)) ? [subject] : [],
  );
  return asked.flat();
}

/** Whether the records of a schedule agree now; false if the acquirer did not say. */
async function agrees(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
  {
    tokens,
    transaction,
  }: {
    readonly transaction: TransactionRow;
    /** The cards that it may have been charged on. */
    readonly tokens: readonly CardRow['gatewayToken'][];
  },
): Promise<boolean> {
  // Corrected since, by whatever event.
  if (transaction.status === 'Accepted') return true;
  const { createdAtMs, scheduledAtMs } = transaction;
  for (const gatewayToken of tokens) {
    const found = await lookUp(work, transaction, {
      kind: 'charge',
      idempotencyKey: null,
      gatewayToken,
      sinceMs: scheduledAtMs ?? createdAtMs,
      untilMs: Math.max(work.now(), run.toMs),
    });
    if (found.kind === 'approved') {
      const payment = found.gatewayReference;
      const asked = await askForPayment(work, transaction, run.account, payment);
      return asked.kind === 'asked';
    }
    if (found.kind !== 'absent') return false;
  }
  return true;
}

/** For how many holds one page asks. */
const ASKED = 50;

/**
 * Asks the acquirer for one page of our holds: one that was captured or let go there moves no money that a list would
 * show. The nightly run asks for all of them, other runs for those made in their span. The first page asks for
 * disputes and ended holds too.
 */
export async function refreshHolds(work: ReconciliationWork, leased: LeasedRun): Promise<Paged> {
  const { database } = work;
  const { closed, run, saved } = progressOf(work, leased);
  const [isSaved, , holds] = await database.batch('d1.reconciliation.save', [
    saved,
    closed,
    selectHolds(run, ASKED),
  ]);
  if (isSaved.length === 0) return { kind: 'lost' };
  const ofAccount = await readChargesOn(work, run.account, holds);
  const asked = await fewAtOnce(ofAccount, async (charge) => {
    const { bookingReference, gatewayReference, propertyId } = charge.transaction;
    const answer = await askForPayment(work, charge.transaction, run.account, gatewayReference);
    return { answer, missing: { ...holdMissingThere(charge), propertyId, bookingReference } };
  });
  const answered = (kind: Asked['kind']) =>
    asked.flatMap(({ answer, missing }) => (answer.kind === kind ? missing : []));
  await recordExceptions(work, answered('absent'));
  const agreedBesides = run.cursor === null ? await refreshUnlisted(work, run) : [];
  const last = holds.length === ASKED ? holds.at(-1) : undefined;
  const cursor = last ? JSON.stringify([last.propertyId, last.createdAtMs, last.id]) : null;
  const agreed = [...answered('asked').map(({ subject }) => subject), ...agreedBesides];
  return { kind: 'done', leased: { run: runAfter(run, cursor, work.counts), agreed } };
}
