import { DAY_MS, utcDate } from '../core/time.ts';
import { Database, type Statement } from '../db/database.ts';
import type { Env } from '../env.ts';
import type { Payout, PayoutSource } from '../gateways/payouts.ts';
import { Crossings } from '../io/crossings.ts';
import { logError } from '../io/log.ts';
import { disbursementOfPayout, itemOfPayout, sharesOf } from './payouts.ts';
import {
  insertItem,
  saveProgress,
  selectAccountProperties,
  selectAccountsToLookThrough,
  selectDisbursement,
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

/** Mirrors a payout that the acquirer told of, as it stands now. */
export async function mirrorPayout(
  work: MirrorWork,
  payoutId: string,
  account: string | null,
): Promise<void> {
  const payout = await work.crossings.cross('gateway.payouts', () =>
    work.source.payout(payoutId, account),
  );
  await mirror(work, payout, account, await propertiesOf(work, account));
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
      const saved = saveProgress(database.queries, sourceOf(account), today);
      await database.batch('d1.disbursement.save', [saved]);
    } catch (error) {
      logError('payouts_failed', error, { account: account ?? '' });
    }
  }
  return accounts.length;
}

/** The name of an account in the table of progress. */
export function sourceOf(account: string | null): string {
  return `stripe ${account ?? ''}`;
}

async function lookThrough(work: MirrorWork, account: string | null, nowMs: number): Promise<void> {
  const payouts = await work.crossings.cross('gateway.payouts', () =>
    work.source.payoutsSince(nowMs - LOOKED_BACK_MS, account),
  );
  const propertyIds = await propertiesOf(work, account);
  for (const payout of payouts) {
    if (await isUnknown(work, payout, propertyIds))
      await mirror(work, payout, account, propertyIds);
  }
}

async function propertiesOf(work: MirrorWork, account: string | null): Promise<string[]> {
  const { database } = work;
  const [rows] = await database.batch('d1.property.find', [
    selectAccountProperties(database.queries, account),
  ]);
  return rows.map(({ id }) => id);
}

/** Whether something of a payout is not known yet: one that has ended is not asked for again. */
async function isUnknown(
  { database }: MirrorWork,
  { id, status }: Payout,
  propertyIds: readonly string[],
): Promise<boolean> {
  if (status !== 'paid_out' && status !== 'failed') return true;
  const [first, ...rest] = propertyIds.map((propertyId) =>
    selectDisbursement(database.queries, propertyId, id),
  );
  if (!first) return false;
  const found = await database.batch('d1.disbursement.read', [first, ...rest]);
  return !found.some(([row]) => row?.status === status);
}

async function mirror(
  { crossings, database, source }: MirrorWork,
  payout: Payout,
  account: string | null,
  propertyIds: readonly string[],
): Promise<void> {
  const { queries } = database;
  const movements = await crossings.cross('gateway.payouts', () =>
    source.movements(payout.id, account),
  );
  for (const [propertyId, share] of sharesOf(movements, propertyIds)) {
    const items = share.map((one) => insertItem(queries, itemOfPayout(propertyId, payout.id, one)));
    for (let from = 0; from < items.length; from += ITEMS_PER_BATCH) {
      const statements: [Statement, ...Statement[]] = [
        upsertDisbursement(queries, disbursementOfPayout(propertyId, payout)),
        ...items.slice(from, from + ITEMS_PER_BATCH),
      ];
      await database.batch('d1.disbursement.save', statements);
    }
  }
}
