import { addDays, DAY_MS, localDate, startOfDayMs } from '../core/time.ts';
import type { Database } from '../platform/db/database.ts';
import { othersTurn } from '../platform/othersTurn.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { selectLateMovements } from '../records/history/daySumsStore.ts';
import type { PropertyRow } from '../schema/propertyTables.ts';
import {
  FAILED_DAYS,
  selectFailedRefunds,
  selectFailedThatNeeds,
  selectFailingCards,
  selectUnanswered,
  selectUnansweredRefunds,
  selectUnsettled,
} from './attentionLists.ts';
import {
  selectComing,
  selectDifferences,
  selectDisputesByDeadline,
  selectPlannedParts,
} from './lists.ts';
import { selectOwing } from './reports/owing.ts';
import { movedWith } from './reports/read.ts';
import { boundsOf, ofDays, selectMoved } from './reports/store.ts';

/** How many entries of each list are shown. */
const SHOWN = 3;

/** How many arrivals, and how many charges of today, are shown. */
const MOST_STAYS = 20;
export const MOST_CHARGES = 10;

/** A property's day, as its first page shows it. */
export type Today = Awaited<ReturnType<typeof readToday>>;

/** Reads a property's day: what needs somebody, who arrives and owes, what is charged and what was taken. Two round trips. */
export async function readToday(database: Database, property: PropertyRow) {
  const { id, timeZone } = property;
  const nowMs = propertyNow(property);
  const today = localDate(nowMs, timeZone);
  const tomorrow = addDays(today, 1);
  const first = { limit: SHOWN };
  const sinceMs = nowMs - FAILED_DAYS * DAY_MS;
  const spans = [
    { from: today, to: today },
    { from: `${today.slice(0, 8)}01`, to: today },
  ];
  const midnightMs = startOfDayMs(tomorrow, timeZone) - 1;
  const [
    failed,
    failedRefunds,
    unsettled,
    disputes,
    differences,
    unanswered,
    unansweredRefunds,
    cards,
  ] = await database.batch('d1.console.read', [
    selectFailedThatNeeds(id, sinceMs, first),
    selectFailedRefunds(id, sinceMs, first),
    selectUnsettled(id, sinceMs, first),
    selectDisputesByDeadline(id, nowMs, first),
    selectDifferences(id, nowMs, first),
    selectUnanswered(id, nowMs, first),
    selectUnansweredRefunds(id, nowMs, first),
    selectFailingCards(id, nowMs, first),
  ]);
  await othersTurn();
  const [arrivals, charges, planned, moved, late] = await database.batch('d1.console.read', [
    selectOwing({ propertyId: id, from: today, to: tomorrow, limit: MOST_STAYS }),
    selectComing(id, midnightMs, { limit: MOST_CHARGES }),
    selectPlannedParts(id, midnightMs, { limit: MOST_CHARGES }),
    selectMoved(ofDays(id, spans)),
    selectLateMovements({ propertyId: id }),
  ]);
  const shown = <Row>(rows: readonly Row[]) => rows.slice(0, SHOWN);
  return {
    nowMs,
    failed: shown(failed),
    failedRefunds: shown(failedRefunds),
    unsettled: shown(unsettled),
    disputes: shown(disputes).filter(({ status }) => status === 'needs_response'),
    differences: shown(differences),
    unanswered: shown(unanswered),
    unansweredRefunds: shown(unansweredRefunds),
    cards: shown(cards),
    arrivals,
    charges: charges.slice(0, MOST_CHARGES),
    planned: planned.slice(0, MOST_CHARGES),
    taken: movedWith(moved, late, boundsOf(spans, timeZone)),
  };
}
