import { balanceOfRows } from '../money/balance/rules/balance.ts';
import { selectLatestDisputes } from '../money/disputes/store.ts';
import { keptMinor } from '../money/guest/folio.ts';
import { selectTransactionCards, selectTransactions } from '../money/payments/store.ts';
import { selectRefunds } from '../operation/shownStore.ts';
import type { Database } from '../platform/db/database.ts';
import { selectBooking } from '../records/bookings/store.ts';
import { selectChargeTotals } from '../records/history/sumsStore.ts';
import { plannedMinor } from '../records/plans/rules/follow.ts';
import { selectPlan } from '../records/plans/store.ts';
import { selectRecoveries } from '../records/recoveries/store.ts';
import { selectLastSettlement } from '../records/settlements/store.ts';
import { namesOf } from './nameStore.ts';
import { boundsOf, selectSources, type TimelineView, WHOLE_TIMELINE } from './timelineStore.ts';

/** All that the console shows of a booking. */
export type BookingFile = NonNullable<Awaited<ReturnType<typeof readBookingFile>>>;

const DISPUTES_READ = 200;

/** Reads a booking's file; null if the booking does not exist. One round trip. */
export async function readBookingFile(
  database: Database,
  propertyId: string,
  reference: string,
  view: TimelineView = WHOLE_TIMELINE,
) {
  const name = { propertyId, reference };
  const [
    [property],
    [booking],
    attached,
    [plan],
    transactions,
    used,
    refunds,
    disputes,
    recoveries,
    totals,
    [settlement],
    changes,
    messages,
    mails,
    events,
    deliveries,
  ] = await database.batch('d1.console.read', [
    ...selectBooking(propertyId, reference),
    selectPlan(name),
    selectTransactions({ propertyId, reference }),
    selectTransactionCards({ propertyId, reference }),
    selectRefunds(propertyId, reference),
    selectLatestDisputes(name, DISPUTES_READ),
    selectRecoveries(name),
    selectChargeTotals(name),
    selectLastSettlement(name),
    ...selectSources(name, boundsOf(view)),
  ]);
  if (!property || !booking) return null;
  const { status, totalCostMinor } = booking;
  const planned = plannedMinor(plan ?? null);
  const balance = balanceOfRows(totalCostMinor, transactions, totals, planned);
  const state = { property, booking, cards: attached };
  const kept = keptMinor({ settlement: settlement ?? null, state });
  const lackingMinor = Math.max(0, (kept ?? 0) - balance.paidMinor - balance.uncertainMinor);
  return {
    state,
    balance: status === 'cancelled' ? { ...balance, proposedMinor: lackingMinor } : balance,
    /** What the cancellation keeps; null where there is none, or where nothing says it. */
    keptMinor: kept,
    /** Its plan, the active one or else the last. */
    plan: plan ?? null,
    transactions,
    refunds,
    disputes,
    recoveries,
    /** The cards of the booking, and those that its payments used. */
    cards: [...new Map([...attached, ...used].map((card) => [card.token, card])).values()],
    /** What the shown part of the timeline is made from, the latest first. */
    view,
    changes: await withNames(database, changes),
    messages,
    mails,
    events,
    deliveries,
  };
}

type Changes = ReturnType<typeof selectSources>[0]['_']['result'];

/** Changes with the names of who made them, which the directory has. */
async function withNames(database: Database, changes: Changes): Promise<Changes> {
  const names = await namesOf(
    database,
    changes.map(({ actor }) => actor),
  );
  return names === null
    ? changes
    : changes.map((one) => ({
        ...one,
        nameOfToday: one.actorName === null ? (names.people.get(one.actor) ?? null) : null,
        clientName: names.clients.get(one.actor) ?? null,
      }));
}
