import { DAY_MS, utcDate } from '../core/time.ts';
import type { Payout, PayoutMovement, PayoutSource } from '../gateways/payouts.ts';
import { type Database, openDatabase, type Statement } from '../platform/db/database.ts';
import { DatabaseUnavailable } from '../platform/db/errors.ts';
import type { Env } from '../platform/env.ts';
import { logError } from '../platform/log.ts';
import { Trace } from '../platform/trace.ts';
import { endDisbursement } from './advance.ts';
import {
  selectAccountProperties,
  selectAccountsToCheck,
  selectArchivedOwners,
  selectChargeOwners,
  selectRefundOwners,
  upsertDisbursement,
} from './mirrorStore.ts';
import { disbursementOfPayout, itemOfPayout, sharesOf } from './rules/payouts.ts';
import { addUp, insertItem, saveProgress, selectProgress } from './store.ts';

export interface MirrorWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly source: PayoutSource;
}

/** How far back the daily check goes: the longest time until a payout is final. */
const LOOKED_BACK_MS = 14 * DAY_MS;

/** How many accounts one sweep checks; the next sweep continues. */
const ACCOUNTS_PER_SWEEP = 5;

/** How many accounts of one database a sweep looks at, where there are many databases. */
const MOST_ACCOUNTS = 1_000;

const ITEMS_PER_BATCH = 100;

/** Mirrors the current state of a payout; false if it does not exist or the acquirer does not itemise it. */
export async function mirrorPayout(
  work: MirrorWork,
  payoutId: string,
  account: string | null,
): Promise<boolean> {
  const payout = await work.trace.span('gateway.payouts', () =>
    work.source.payout(payoutId, account),
  );
  if (!payout?.itemised) return false;
  await mirror(work, payout, account);
  return true;
}

/**
 * Checks the payouts of every account once a day, in case a webhook was lost. The next sweep retries an account that
 * failed.
 */
export async function sweepPayouts(env: Env, source: PayoutSource, nowMs: number): Promise<number> {
  const trace = new Trace();
  const database = openDatabase(env, trace);
  const today = utcDate(nowMs);
  const accounts = await accountsToCheck(database, source, today);
  for (const account of accounts) {
    try {
      await checkAccount({ database, trace, source }, account, nowMs);
      const saved = saveProgress(nameOfAccount(source, account), today);
      await database.batch('d1.disbursement.save', [saved]);
    } catch (error) {
      logError('payouts_failed', error, { account: account ?? '' });
    }
  }
  return accounts.length;
}

/** The accounts that have properties in any database and are to be checked. The directory knows which were. */
async function accountsToCheck(
  database: Database,
  source: PayoutSource,
  today: string,
): Promise<(string | null)[]> {
  const most = database.isMany ? MOST_ACCOUNTS : ACCOUNTS_PER_SWEEP;
  const found = await database.everyAnswering('d1.sweep.read', [
    selectAccountsToCheck(source.gateway, today, most),
  ]);
  const rows = found.flat(2);
  const [first, ...others] = [...new Set(rows.map(({ account }) => account))];
  if (first === undefined || !database.isMany) return rows.map(({ account }) => account);
  const all = [first, ...others];
  const select = (account: string | null) => selectProgress(nameOfAccount(source, account));
  const [own, ...further] = [select(first), ...others.map(select)] as const;
  const progress = await database.directory.batch('d1.sweep.read', [own, ...further]);
  const isChecked = (at: number) => (progress[at]?.[0]?.position ?? '') >= today;
  return all.filter((_account, at) => !isChecked(at)).slice(0, ACCOUNTS_PER_SWEEP);
}

/** The source name of an account in `payout_progress`; `selectAccountsToCheck` builds the same. */
function nameOfAccount({ gateway }: PayoutSource, account: string | null): string {
  return `${gateway} ${account ?? ''}`;
}

function nameOfPayout(source: PayoutSource, account: string | null, payoutId: string): string {
  return `${nameOfAccount(source, account)} ${payoutId}`;
}

/** Mirrors an account's incomplete payouts. After a failure it continues with the others, and throws at the end. */
async function checkAccount(
  work: MirrorWork,
  account: string | null,
  nowMs: number,
): Promise<void> {
  const payouts = await work.trace.span('gateway.payouts', () =>
    work.source.payoutsSince(nowMs - LOOKED_BACK_MS, account),
  );
  await eachThenThrow(payouts, async (payout) => {
    if (payout.itemised && !(await isComplete(work, payout, account))) {
      await mirror(work, payout, account);
    }
  });
}

/** Whether the mirror of a payout in this status is complete, so that it need not be read again. */
async function isComplete(
  { database, source }: MirrorWork,
  { id, status }: Payout,
  account: string | null,
): Promise<boolean> {
  const [[mirrored]] = await database.batch('d1.disbursement.read', [
    selectProgress(nameOfPayout(source, account, id)),
  ]);
  return mirrored?.position === status;
}

/**
 * Mirrors a payout for each property that has a share of it, and records a complete payout last. Where one fails, such as
 * while it moves, it continues with the others, and throws at the end.
 */
async function mirror(work: MirrorWork, payout: Payout, account: string | null): Promise<void> {
  const { trace, database, source } = work;
  const movements = await trace.span('gateway.payouts', () => source.movements(payout.id, account));
  const shares = await divideByProperty(database, movements, account);
  await eachThenThrow(shares, ([propertyId, share]) =>
    mirrorShare(work, payout, propertyId, share),
  );
  if (!hasEnded(payout) || !payout.reconciled) return;
  await database.batch('d1.disbursement.save', [
    saveProgress(nameOfPayout(source, account, payout.id), payout.status),
  ]);
}

function hasEnded({ status }: Payout): boolean {
  return status === 'paid_out' || status === 'failed';
}

/**
 * Inserts the missing items of a property's share of a payout. A final status is written after the items, so that the event
 * of it shows the whole disbursement.
 */
async function mirrorShare(
  { database, source }: MirrorWork,
  payout: Payout,
  propertyId: string,
  share: readonly PayoutMovement[],
): Promise<void> {
  const home = database.of(propertyId);
  const row = disbursementOfPayout(source.gateway, propertyId, payout);
  const items = share.map((one) => insertItem(itemOfPayout(propertyId, payout.id, one)));
  for (let from = 0; from < items.length; from += ITEMS_PER_BATCH) {
    const statements: [Statement, ...Statement[]] = [
      upsertDisbursement(hasEnded(payout) ? { ...row, status: 'in_transit' } : row),
      ...items.slice(from, from + ITEMS_PER_BATCH),
      addUp(propertyId, payout.id),
    ];
    await home.batch('d1.disbursement.save', statements);
  }
  if (hasEnded(payout)) await endDisbursement(home, row, Date.now());
}

/** Does something with each, also after a failure, and throws the first failure at the end. */
async function eachThenThrow<One>(all: Iterable<One>, act: (one: One) => Promise<void>) {
  const failures: unknown[] = [];
  for (const one of all) await act(one).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Divides movements among properties. One round trip to each database. Throws {@link DatabaseUnavailable} where one that is
 * away may have the property of some.
 */
async function divideByProperty(
  database: Database,
  movements: readonly PayoutMovement[],
  account: string | null,
): Promise<Map<string, PayoutMovement[]>> {
  const origins = movements.flatMap(({ about }) => about ?? []);
  const found = await database.everyAnswering('d1.disbursement.read', [
    selectAccountProperties(account),
    selectChargeOwners(origins, account),
    selectRefundOwners(origins, account),
    selectArchivedOwners(origins, account),
  ]);
  const owners = found.flatMap(([, ...ofEach]) => ofEach.flat());
  const known = new Set(owners.map(({ reference }) => reference));
  const areKnown = movements.every(({ about }) => about && known.has(about.reference));
  if (found.length < database.each.length && !areKnown)
    throw new DatabaseUnavailable(new Error('one that is away may have some'));
  const properties = found.flatMap(([ofAccount]) => ofAccount);
  // What belongs to no charge is the present property's; an account that nobody has any more has its former one.
  const present = properties.filter(({ isPresent }) => isPresent === 1);
  const ids = (present.length > 0 ? present : properties).map(({ id }) => id);
  return sharesOf(movements, owners, ids);
}
