import { DAY_MS, utcDate } from '../core/time.ts';
import { Database, type Statement } from '../db/database.ts';
import type { Env } from '../env.ts';
import type { Payout, PayoutMovement, PayoutSource } from '../gateways/payouts.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import { disbursementOfPayout, itemOfPayout, sharesOf } from './payouts.ts';
import {
  insertItem,
  saveProgress,
  selectAccountProperties,
  selectAccountsToLookThrough,
  selectChargeOwners,
  selectProgress,
  selectRefundOwners,
  upsertDisbursement,
} from './store.ts';

/** What mirroring needs. */
export interface MirrorWork {
  readonly database: Database;
  readonly crossings: Crossings;
  readonly source: PayoutSource;
}

/** How far back a daily look goes: a payout takes that long at the most until its end is known. */
const LOOKED_BACK_MS = 14 * DAY_MS;

/** How many accounts one sweep looks through; the next sweep goes on. */
const ACCOUNTS_PER_SWEEP = 5;

/** How many items one batch adds. */
const ITEMS_PER_BATCH = 100;

/** Mirrors a payout that the acquirer told of, as it stands now; false when there is nothing to mirror. */
export async function mirrorPayout(
  work: MirrorWork,
  payoutId: string,
  account: string | null,
): Promise<boolean> {
  const payout = await work.crossings.cross('gateway.payouts', () =>
    work.source.payout(payoutId, account),
  );
  if (!payout?.itemised) return false;
  await mirror(work, payout, account);
  return true;
}

/**
 * Looks once a day through the payouts of every account, so that none is missed that was not told of. An account that
 * cannot be read is tried again.
 */
export async function sweepPayouts(env: Env, source: PayoutSource, nowMs: number): Promise<number> {
  const crossings = new Crossings();
  const database = new Database(env.DB, crossings);
  const today = utcDate(nowMs);
  const [accounts] = await database.batch('d1.sweep.read', [
    selectAccountsToLookThrough(database.queries, today, ACCOUNTS_PER_SWEEP),
  ]);
  for (const { account } of accounts) {
    try {
      await lookThrough({ database, crossings, source }, account, nowMs);
      const saved = saveProgress(database.queries, nameOfAccount(account), today);
      await database.batch('d1.disbursement.save', [saved]);
    } catch (error) {
      logError('payouts_failed', error, { account: account ?? '' });
    }
  }
  return accounts.length;
}

/** The name of an account in the table of progress; see `selectAccountsToLookThrough`. */
function nameOfAccount(account: string | null): string {
  return `stripe ${account ?? ''}`;
}

/** The name of a payout in the table of progress. */
function nameOfPayout(account: string | null, payoutId: string): string {
  return `${nameOfAccount(account)} ${payoutId}`;
}

/** One payout that cannot be read does not stand in the way of the others; but the account is then looked through again. */
async function lookThrough(work: MirrorWork, account: string | null, nowMs: number): Promise<void> {
  const payouts = await work.crossings.cross('gateway.payouts', () =>
    work.source.payoutsSince(nowMs - LOOKED_BACK_MS, account),
  );
  const failures: unknown[] = [];
  for (const payout of payouts) {
    try {
      if (payout.itemised && !(await isComplete(work, payout, account))) {
        await mirror(work, payout, account);
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Whether everything of a payout is known, as it stands now: then it is not asked for again. */
async function isComplete(
  { database }: MirrorWork,
  { id, status }: Payout,
  account: string | null,
): Promise<boolean> {
  const [[mirrored]] = await database.batch('d1.disbursement.read', [
    selectProgress(database.queries, nameOfPayout(account, id)),
  ]);
  return mirrored?.position === status;
}

/** Adds what is not there yet; that a payout is complete is written down last. */
async function mirror(work: MirrorWork, payout: Payout, account: string | null): Promise<void> {
  const { crossings, database, source } = work;
  const { queries } = database;
  const movements = await crossings.cross('gateway.payouts', () =>
    source.movements(payout.id, account),
  );
  for (const [propertyId, share] of await shared(database, movements, account)) {
    const items = share.map((one) => insertItem(queries, itemOfPayout(propertyId, payout.id, one)));
    for (let from = 0; from < items.length; from += ITEMS_PER_BATCH) {
      const statements: [Statement, ...Statement[]] = [
        upsertDisbursement(queries, disbursementOfPayout(propertyId, payout)),
        ...items.slice(from, from + ITEMS_PER_BATCH),
      ];
      await database.batch('d1.disbursement.save', statements);
    }
  }
  const ended = payout.status === 'paid_out' || payout.status === 'failed';
  if (!ended || !payout.reconciled) return;
  await database.batch('d1.disbursement.save', [
    saveProgress(queries, nameOfPayout(account, payout.id), payout.status),
  ]);
}

/** Whose each movement is. One round trip. */
async function shared(
  database: Database,
  movements: readonly PayoutMovement[],
  account: string | null,
): Promise<Map<string, PayoutMovement[]>> {
  const { queries } = database;
  const references = movements.flatMap(({ about }) => (about ? [about.reference] : []));
  const [charges, refunds, properties] = await database.batch('d1.disbursement.read', [
    selectChargeOwners(queries, references, account ?? ''),
    selectRefundOwners(queries, references, account ?? ''),
    selectAccountProperties(queries, account),
  ]);
  const ids = properties.map(({ id }) => id);
  return sharesOf(movements, [...charges, ...refunds], ids);
}
