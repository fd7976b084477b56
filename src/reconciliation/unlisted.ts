import { MINUTE_MS } from '../core/time.ts';
import type { LookUp, LookUpRequest } from '../gateways/gateway.ts';
import type { DisputePage, MovementQuery } from '../gateways/movements.ts';
import type { CardRow } from '../schema/cardTables.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { ReconciliationRunRow } from '../schema/reconciliationTables.ts';
import {
  accountOf,
  askForDispute,
  askForPayment,
  correctionsOf,
  inGroups,
  readCharges,
  readChargesOn,
} from './ask.ts';
import type { OurCharge } from './rules/differences.ts';
import {
  countOpenDisputes,
  selectDoubtfulHolds,
  selectOpenDisputes,
  selectUnasked,
  selectUnknownDisputes,
} from './unlistedStore.ts';
import type { ReconciliationWork } from './work.ts';

/** How many open disputes one run asks for. Where there are more, each minute has others. */
const DISPUTES_ASKED = 500;

/** How many pages of new disputes one run reads at most. */
const DISPUTE_PAGES = 10;

/** For how many doubtful holds, and schedules that ended unasked, one run asks: an outage leaves few. */
const DOUBTFUL_ASKED = 200;

/** The result of asking: corrections made, subjects that agree now, and calls of bookings and acquirers. */
export interface Refreshed {
  readonly corrected: number;
  readonly agreed: readonly string[];
  readonly calls: number;
}

/**
 * Asks once a run for what moves no money that a list of movements would show: open disputes, and, but for the hourly run,
 * new disputes, holds that ended in doubt, and schedules that ended unasked.
 */
export async function refreshUnlisted(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Refreshed> {
  const refreshed = [await refreshOpenDisputes(work, run)];
  if (run.cause !== 'hourly') {
    refreshed.push(await findNewDisputes(work, run));
    refreshed.push(await refreshEndedHolds(work, run));
    refreshed.push(await refreshUnasked(work, run));
  }
  return {
    corrected: sumOf(refreshed.map(({ corrected }) => corrected)),
    agreed: refreshed.flatMap(({ agreed }) => agreed),
    calls: sumOf(refreshed.map(({ calls }) => calls)),
  };
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Asks for open disputes: one that is lost, or answered, moves no money. */
async function refreshOpenDisputes(
  work: ReconciliationWork,
  { account, propertyId }: ReconciliationRunRow,
): Promise<Refreshed> {
  const { database } = work;
  const { queries } = database;
  const [[counted]] = await database.batch('d1.reconciliation.read', [
    countOpenDisputes(queries, propertyId),
  ]);
  const many = counted?.many ?? 0;
  if (many === 0) return { corrected: 0, agreed: [], calls: 0 };
  const pages = Math.ceil(many / DISPUTES_ASKED);
  const offset = DISPUTES_ASKED * (Math.floor(work.now() / MINUTE_MS) % pages);
  const [open] = await database.batch('d1.reconciliation.read', [
    selectOpenDisputes(queries, propertyId, { limit: DISPUTES_ASKED, offset }),
  ]);
  return { corrected: await refreshDisputes(work, account, open), agreed: [], calls: open.length };
}

/**
 * Asks for the disputes that were opened in the run's span, and has bookings read those that are not here. An inquiry
 * withdraws nothing, so that no movement shows it. What the acquirer does not list now, the next run reads.
 */
async function findNewDisputes(
  work: ReconciliationWork,
  { account, fromMs, propertyId, toMs }: ReconciliationRunRow,
): Promise<Refreshed> {
  const { database, gateway, trace } = work;
  let [corrected, calls] = [0, 0];
  let cursor: string | null = null;
  for (let pages = 0; pages < DISPUTE_PAGES; pages += 1) {
    const query: MovementQuery = { account, fromMs, toMs, cursor };
    const page: DisputePage = await trace.span('gateway.dispute', () => gateway.disputes(query));
    calls += 1;
    if (page.kind === 'unknown') break;
    if (page.disputes.length > 0) {
      const [unknown] = await database.batch('d1.reconciliation.read', [
        selectUnknownDisputes(database.queries, page.disputes, propertyId),
      ]);
      corrected += await refreshDisputes(work, account, unknown);
      calls += unknown.length;
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { corrected, agreed: [], calls };
}

/** Has the bookings of charges on this account read their disputes. Returns how many corrections that took. */
async function refreshDisputes(
  work: ReconciliationWork,
  account: string | null,
  disputes: readonly { readonly id: string; readonly transactionId: number }[],
): Promise<number> {
  const charges = await readCharges(work, [
    ...new Set(disputes.map(({ transactionId }) => transactionId)),
  ]);
  const corrected = await inGroups(disputes, async ({ id, transactionId }) => {
    const charge = charges.get(transactionId);
    if (!charge || accountOf(work, charge) !== account) return 0;
    return correctionsOf(await askForDispute(work, charge.transaction, account, id));
  });
  return sumOf(corrected);
}

/**
 * Asks for holds whose outcome was not known and which count as failed since, by an administrator's decision or because the
 * acquirer did not have them: one that is held there moves no money.
 */
async function refreshEndedHolds(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Refreshed> {
  const { database } = work;
  const [doubtful] = await database.batch('d1.reconciliation.read', [
    selectDoubtfulHolds(database.queries, run, DOUBTFUL_ASKED),
  ]);
  const ofAccount = await readChargesOn(work, run.account, doubtful);
  const corrected = await inGroups(ofAccount, async (charge) => {
    const payment = await findHold(work, charge);
    const { transaction } = charge;
    return payment === null
      ? 0
      : correctionsOf(await askForPayment(work, transaction, run.account, payment));
  });
  return { corrected: sumOf(corrected), agreed: [], calls: ofAccount.length };
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
  { gateway, trace }: ReconciliationWork,
  { propertyId, reference }: TransactionRow,
  asked: Omit<LookUpRequest, 'propertyId' | 'reference' | 'gatewayReference'>,
): Promise<LookUp> {
  const about = { propertyId, reference, gatewayReference: null };
  return trace.span('gateway.lookUp', () => gateway.lookUp({ ...about, ...asked }));
}

/**
 * Asks for schedules that ended although the acquirer could not be asked. What it has is corrected; either way the records
 * agree then.
 */
async function refreshUnasked(
  work: ReconciliationWork,
  run: ReconciliationRunRow,
): Promise<Refreshed> {
  const { database } = work;
  const [rows] = await database.batch('d1.reconciliation.read', [
    selectUnasked(database.queries, run, DOUBTFUL_ASKED),
  ]);
  const unasked = [...Map.groupBy(rows, ({ subject }) => subject)].flatMap(([subject, of]) => {
    const [first] = of;
    const tokens = of.map(({ gatewayToken }) => gatewayToken);
    return first ? [{ subject, transaction: first.transaction, tokens }] : [];
  });
  const ofAccount = unasked.filter(({ tokens }) =>
    tokens.every((token) => work.gateway.accountOf(token) === run.account),
  );
  const asked = await inGroups(ofAccount, async ({ subject, ...one }) => ({
    subject,
    corrected: await findCharge(work, run, one),
  }));
  return {
    corrected: sumOf(asked.map(({ corrected }) => corrected ?? 0)),
    agreed: asked.flatMap(({ corrected, subject }) => (corrected === null ? [] : [subject])),
    calls: asked.length,
  };
}

/** How many corrections it took that the records of a schedule agree; null if the acquirer did not say. */
async function findCharge(
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
): Promise<number | null> {
  // Corrected since, by whatever event.
  if (transaction.status === 'Accepted') return 0;
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
      return asked.kind === 'asked' ? correctionsOf(asked) : null;
    }
    if (found.kind !== 'absent') return null;
  }
  return 0;
}
