import type { Database } from '../../platform/db/database.ts';
import type { RowOf } from '../../platform/db/prepared.ts';
import { othersTurn } from '../../platform/othersTurn.ts';
import { daysOfInstants, selectLateFailures } from '../../records/history/dayFailuresStore.ts';
import {
  type LateSum,
  selectLateHolds,
  selectLateMovements,
} from '../../records/history/daySumsStore.ts';
import type { Movement } from '../../schema/historyTables.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { withClientNames } from '../nameStore.ts';
import {
  boundsOf,
  type Moved,
  ofDays,
  ofPeriods,
  type PeriodBounds,
  type Span,
  selectAcquirerFees,
  selectCancellations,
  selectFailures,
  selectMoved,
  selectShares,
  selectUntaken,
  type Untaken,
} from './store.ts';

/** The sums that a report is made of. `period` is a period's place in the report. */
export type ReportSums = Awaited<ReturnType<typeof readReport>>['sums'];

/** What was moved with one brand of cards, or an agency's cards, for one purpose by one actor, in one currency. */
export type Share = ReturnType<typeof sharesWith>[number];

/**
 * The sums of a property's payments, by periods of its days (interface: Console). Two round trips.
 */
export async function readReport(
  database: Database,
  property: Pick<PropertyRow, 'id' | 'timeZone'>,
  periods: readonly Span[],
  whole: Span,
) {
  const bounds = boundsOf(periods, property.timeZone);
  const of = ofPeriods(property.id, bounds);
  const [moved, acquirerFees, cancellations, shares, lateMoved, lateHeld, lateFailures] =
    await database.batch('d1.console.read', [
      selectMoved(ofDays(property.id, periods)),
      selectAcquirerFees(of),
      selectCancellations(of),
      selectShares({ propertyId: property.id, ...whole }),
      selectLateMovements({ propertyId: property.id }),
      selectLateHolds({ propertyId: property.id }),
      selectLateFailures({ propertyId: property.id }),
    ]);
  await othersTurn();
  const untaken = await readUntaken(database, property, periods, lateFailures);
  const named = await withClientNames(database, sharesWith(property, whole, shares, lateMoved));
  return {
    sums: {
      moved: movedWith(moved, [...lateMoved, ...lateHeld], bounds),
      untaken,
      acquirerFees,
      cancellations,
    },
    shares: named,
  };
}

/** The sums of some periods, and the movements in them that no sum has yet. */
export function movedWith(
  moved: readonly Moved[],
  late: readonly LateSum[],
  bounds: readonly PeriodBounds[],
): Moved[] {
  return [...moved, ...late.flatMap((one) => inPeriods(one, bounds))];
}

function inPeriods(one: LateSum, bounds: readonly PeriodBounds[]): Moved[] {
  const { occurredAtMs: atMs, movement: kind, currency, number, amountMinor, feeMinor } = one;
  return bounds.flatMap(({ beforeMs, fromMs }, period) =>
    atMs >= fromMs && atMs < beforeMs
      ? [{ period, currency, kind, number, amountMinor, feeMinor }]
      : [],
  );
}

/** The shares of some days, with the movements of these days that no sum has yet. */
export function sharesWith(
  { timeZone }: Pick<PropertyRow, 'timeZone'>,
  span: Span,
  shares: readonly RowOf<typeof selectShares>[],
  late: readonly LateSum[],
) {
  const [{ beforeMs, fromMs } = { beforeMs: 0, fromMs: 0 }] = boundsOf([span], timeZone);
  const further = late
    .filter(({ occurredAtMs }) => occurredAtMs >= fromMs && occurredAtMs < beforeMs)
    .map(({ actorName, clientName, feeMinor: _fee, movement, ...of }) => {
      return { ...of, kind: movement as Movement, actorName: actorName ?? clientName };
    });
  return [...shares, ...further].map((share) => {
    return { ...share, brand: share.brand || null, agency: share.agency || null };
  });
}

/**
 * Counts a property's payments that ended without being taken, by period, currency and reason: by the sums of days, but of days
 * on which something failed, or not after all, that is not summed up yet, payment by payment. One round trip.
 */
export async function readUntaken(
  database: Database,
  { id, timeZone }: Pick<PropertyRow, 'id' | 'timeZone'>,
  periods: readonly Span[],
  late: readonly { readonly atMs: number }[],
): Promise<Untaken[]> {
  const days = daysOfInstants(late, timeZone);
  const lateDays = days.map((day) => ({ from: day, to: day }));
  const [sums, counted] = await database.batch('d1.console.read', [
    selectFailures({ ...ofDays(id, periods), without: JSON.stringify(days) }),
    selectUntaken(ofPeriods(id, boundsOf(lateDays, timeZone))),
  ]);
  const further = counted.flatMap((one) => {
    const day = days[one.period] ?? '';
    const period = periods.findIndex(({ from, to }) => day >= from && day <= to);
    return period < 0 ? [] : [{ ...one, period }];
  });
  return [...sums, ...further];
}
