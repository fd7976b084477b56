import { pick } from '../core/pick.ts';
import type { D1Span, Statement } from '../platform/db/database.ts';
import { DatabaseOverloaded, DatabaseUnavailable } from '../platform/db/errors.ts';
import { retryWhenStale } from '../platform/db/retryWhenStale.ts';
import { countUse } from '../records/cards/store.ts';
import { appendEntry, isBehind } from '../records/history/append.ts';
import type { Entry, NewEvent } from '../records/history/rules/entry.ts';
import { overpaidBy, withEntry } from '../records/history/rules/totals.ts';
import type { KnownHistory, LastEntry, Sums } from '../records/history/sums.ts';
import { overpaidView } from '../records/history/views.ts';
import { queueMail } from '../records/mails/queue.ts';
import { mailsOf } from '../records/mails/rules.ts';
import { hastenWaiting, savePlan } from '../records/plans/store.ts';
import type { TransactionRow } from '../schema/moneyTables.ts';
import type { PlanRow } from '../schema/planTables.ts';
import type { CardUsed, Draft, DraftedEvent, PlanWrite, Shown, Write } from './draft.ts';
import { takeKeyOf } from './idempotency.ts';
import { endedCharges, followPlan, planEntries } from './plan.ts';
import { afterUse, gather, type Known } from './shown.ts';
import { rememberedOf, selectRemembered, withTransactions } from './shownStore.ts';
import { type BookingWork, usedOldState } from './work.ts';

/** Whether D1 has an intent; `unknown` when D1 did not say. */
export type Recorded = 'committed' | 'unknown';

/** A batch, and where the booking's history stands once it is committed. */
interface Prepared {
  readonly statements: [Statement, ...Statement[]];
  readonly history: KnownHistory | null;
  readonly used: readonly CardUsed[];
  /** Its plan then; undefined if that is not known. */
  readonly plan: PlanRow | null | undefined;
  /** The transactions that it writes, as it leaves them; null if it may change others of the booking's rows, too. */
  readonly written: readonly TransactionRow[] | null;
  /** Whether something of it waits for the acquirer: what is not known of the booking's rows, the batch of its outcome reads. */
  readonly isUnderWay: boolean;
}

/** How often a batch is sent, where other entries came in between each time. */
const MOST_TRIES = 3;

/**
 * Commits what happened, in one batch (parts: The history). It does not depend on the entries before it, so it is
 * prepared again behind those that came in between.
 */
export async function commit(
  work: BookingWork,
  span: D1Span,
  writes: readonly Write[],
): Promise<void> {
  await retryWhenStale({ attempts: MOST_TRIES, isStale: isBehind }, async () => {
    try {
      await send(work, span, await prepare(work, writes));
    } catch (error) {
      if (usedOldState(error)) work.memory.forget();
      throw error;
    }
  });
}

/** Sends a batch, and remembers the booking as it leaves it. */
async function send(
  { database, memory, ...name }: BookingWork,
  span: D1Span,
  { statements, history, isUnderWay, plan, used, written }: Prepared,
): Promise<void> {
  // Before the batch: what is remembered goes with it.
  const left = withTransactions(written === null ? NOTHING : memory, written ?? []);
  memory.history = null;
  memory.plan = undefined;
  const reads = !isUnderWay && left.rows === null && left.due === null;
  const selects = reads ? selectRemembered(name, history) : [];
  const results: unknown[] = await database.batch(span, [...statements, ...selects]);
  Object.assign(memory, reads ? rememberedOf(results.slice(statements.length), history) : left);
  memory.history = history;
  memory.plan = plan;
  if (memory.state && used.length > 0) {
    const cards = memory.state.cards.map((card) => afterUse(card, used));
    memory.state = { ...memory.state, cards };
  }
  memory.isNew = true;
}

const NOTHING = { rows: null, due: null } as const;

/**
 * Records an intent before the gateway gets the request. If D1 does not say whether it committed the batch, sends the
 * same batch once more. If D1 refuses the second one, `isOurs` reads back whether the first one was committed. Throws
 * D1's refusal if nothing was recorded.
 */
export async function commitIntent(
  work: BookingWork,
  span: D1Span,
  writes: readonly Write[],
  isOurs: () => Promise<boolean>,
): Promise<Recorded> {
  const prepared = await prepare(work, writes);
  const trySending = async (): Promise<Recorded> => {
    try {
      await send(work, span, prepared);
      return 'committed';
    } catch (error) {
      // What never ran is not sent again at once: too much waits already.
      if (!(error instanceof DatabaseUnavailable) || error instanceof DatabaseOverloaded)
        throw error;
      return 'unknown';
    }
  };
  if ((await trySending()) === 'committed') return 'committed';
  let recorded: Recorded;
  try {
    recorded = await trySending();
  } catch (error) {
    const ours = await isOurs().catch(() => null);
    if (ours === false) throw error;
    recorded = ours === null ? 'unknown' : 'committed';
  }
  // The remembered booking may be outdated.
  if (recorded === 'unknown') work.memory.state = null;
  return recorded;
}

/**
 * Completes the entries, and adds what follows from each. Each has to follow the one before it, the first that which is
 * remembered as the last: otherwise D1 refuses the batch. Each message is named by an entry, in their order.
 */
async function prepare(work: BookingWork, writes: readonly Write[]): Promise<Prepared> {
  const drafts = writes.flatMap((write) => ('draft' in write ? [write.draft] : []));
  const used = drafts.flatMap((draft) => draft.used ?? []);
  const known =
    writes.some(isOfPlan) || needsFacts(drafts) ? await gather(work, drafts, used) : null;
  let history = known?.history ?? work.memory.history;
  let plan = known ? known.plan : work.memory.plan;
  const unnamed = writes.flatMap((write) => ('beside' in write ? (write.messageId ?? []) : []));
  const append = (entry: Entry) => {
    const named = { ...entry, messageId: unnamed.shift() };
    const statements = appendEntry(named, history?.last);
    if (history) history = { ...history, last: following(history.last, entry) };
    return statements;
  };
  const saved = (write: PlanWrite): Statement[] => {
    if (!known) throw new Error('a plan is saved without its booking');
    const before = plan ?? null;
    plan = write.row;
    const entries = planEntries(work, known, before, write);
    return [
      savePlan(before, write.row),
      ...entries.flatMap((entry) => {
        if (history) history = { ...history, ...withEntry(history, entry) };
        return append(entry);
      }),
    ];
  };
  const statements = await takenKeys(work, writes);
  const happened = writes.flatMap((write): Statement[] => {
    if ('takes' in write) return [];
    if ('entry' in write) return append(write.entry);
    if ('plan' in write) return saved(write.plan);
    if ('beside' in write) return [write.beside];
    if (!('draft' in write)) return [write];
    const { draft, state } = write;
    const before = history;
    if (history) history = { ...history, ...withEntry(history, draft) };
    return [
      ...(state ? [state] : []),
      ...entriesOf(draft, { known, before, after: history }).flatMap(append),
      ...queueMails(work, draft, known),
    ];
  });
  statements.push(...happened);
  const followed =
    known && history && plan ? followPlan(work, { ...known, plan, history }, drafts) : null;
  const ended = followed && known?.plan ? endedCharges(known.plan, followed.row) : [];
  if (followed) statements.push(...saved(followed));
  if (ended.length > 0) statements.push(hastenWaiting(work.propertyId, ended, work.now()));
  const changed = plan === known?.plan ? null : plan;
  await wakeFor(work, ended.length > 0 ? work.now() : (changed?.dueAtMs ?? null));
  const [first, ...rest] = statements;
  if (!first) throw new Error('an operation commits nothing');
  if (unnamed.length > 0) throw new Error('no entry names a message');
  const isUnderWay = drafts.some(({ to }) => to === 'Processing');
  const counted = used.map(({ cardToken, use }) => countUse(work.propertyId, cardToken, use));
  const written = writtenBy(writes, ended);
  return { statements: [first, ...rest, ...counted], history, isUnderWay, plan, used, written };
}

/** What takes the callers' keys: before all else, so that a taken key is what a batch fails on. */
async function takenKeys(work: BookingWork, writes: readonly Write[]): Promise<Statement[]> {
  const keys = writes.flatMap((write) => ('takes' in write ? takeKeyOf(work, write.takes) : []));
  return (await Promise.all(keys)).flat();
}

/** The transactions that some writes leave; null if they may change others of the booking's rows, too. */
function writtenBy(writes: readonly Write[], hastened: readonly number[]): TransactionRow[] | null {
  if (hastened.length > 0 || writes.some((write) => 'prepare' in write)) return null;
  return writes.flatMap((write) =>
    'draft' in write && write.state && write.draft.charge ? [write.draft.charge] : [],
  );
}

function following({ sequence }: LastEntry, { atMs }: Entry): LastEntry {
  return { sequence: sequence + 1, atMs };
}

/** Sets the alarm for what a plan is due for. If it cannot be set, the sweep wakes the booking a little later. */
async function wakeFor(work: BookingWork, dueAtMs: number | null): Promise<void> {
  if (dueAtMs !== null) await work.wakeBy(dueAtMs).catch(() => undefined);
}

/** Whether a plan is written, or the charge of a plan's part. */
function isOfPlan(write: Write): boolean {
  if ('plan' in write) return true;
  return 'draft' in write && (write.draft.charge?.planId ?? null) !== null;
}

/** Whether an entry shows something, or may make its booking overpaid. */
function needsFacts(drafts: readonly Draft[]): boolean {
  return drafts.some(({ event, moved, formerTotalMinor }) => {
    return event !== null || Boolean(moved) || typeof formerTotalMinor === 'number';
  });
}

/** What an entry is completed with: what is known, and the sums before and after it. */
interface Around {
  readonly known: Known | null;
  readonly before: Sums | null;
  readonly after: Sums | null;
}

function entriesOf(draft: Draft, { known, before, after }: Around): Entry[] {
  const { charge, event, formerTotalMinor: _former, used: _used, ...entry } = draft;
  const own: Entry = {
    ...entry,
    chargeId: charge?.id ?? null,
    event: event && known && eventOf(event, known.shown),
  };
  const further = known && before && after ? overpaidEntry(known, draft, { before, after }) : null;
  return further ? [own, further] : [own];
}

function eventOf({ snapshot, type }: DraftedEvent, shown: Shown): NewEvent {
  return { type, snapshot: snapshot(shown), timeZone: shown.property.timeZone };
}

/** The mails that follow from an event about a charge; each is queued once. */
function queueMails(
  work: BookingWork,
  { atMs, charge, event, subject }: Draft,
  known: Known | null,
): Statement[] {
  if (event === null || !charge || !known) return [];
  const eventType = event.type;
  return mailsOf(eventType, charge, known.shown.property).map((kind) => {
    // What a property hears of can happen again; a guest is told of each payment and refund once.
    const what = kind === 'dailyWord' ? `${eventType}-${subject.id}-${atMs}` : subject.id;
    return queueMail(work, {
      id: `${what}-${kind}`,
      propertyId: work.propertyId,
      bookingReference: work.reference,
      kind,
      eventType,
      subjectKind: subject.kind,
      subjectId: subject.id,
      atMs,
    });
  });
}

/** The event that a booking is overpaid, or more so, by an entry; null if it is not. */
function overpaidEntry(
  { booking, shown }: Known,
  draft: Draft,
  { before, after }: { readonly before: Sums; readonly after: Sums },
): Entry | null {
  const totalCostMinor = draft.totalCostMinor ?? booking.totalCostMinor;
  const formerTotalMinor = draft.formerTotalMinor ?? totalCostMinor;
  const overpaid = overpaidBy(before, after, { ...draft, totalCostMinor, formerTotalMinor });
  if (overpaid === null) return null;
  const balance = overpaidView(booking.reference, booking.currency, overpaid);
  return {
    ...pick(draft, 'actor', 'actorName', 'atMs', 'bookingReference', 'propertyId'),
    subject: { kind: 'booking', id: '' },
    event: { type: 'balance.overpaid', snapshot: { balance }, timeZone: shown.property.timeZone },
  };
}
