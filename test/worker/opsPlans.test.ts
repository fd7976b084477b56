import { describe, expect, it } from 'vitest';
import {
  selectFailed,
  selectFailedRefunds,
  selectUnsettled,
} from '../../src/desk/attentionLists.ts';
import {
  selectComing,
  selectDifferences,
  selectDisputesByDeadline,
  selectPayouts,
  selectPlannedParts,
} from '../../src/desk/lists.ts';
import {
  selectChargeOutcomes,
  selectHoldOutcomes,
  selectLaterOutcomes,
  selectRetriedOutcomes,
  sinceThen,
} from '../../src/desk/operations/outcomes.ts';
import {
  selectBacklogs,
  selectDead,
  selectEndpointsBehind,
  selectLate,
  selectPropertiesBehind,
  selectRefundSums,
  selectToDismiss,
  selectUnknown,
  selectUpcomingSums,
  selectWarned,
} from '../../src/desk/operations/store.ts';
import { selectEndedSession } from '../../src/desk/sessions.ts';
import { selectRuns, selectUnfinishedRuns } from '../../src/exports/store.ts';
import { planOf } from '../support/plans.ts';

/** What is sorted is little: properties. */
const SORTED = new Set(['backlogs', 'endpoints that are behind']);

describe('however much there is, the operations page', () => {
  it.each([
    [
      'what became of charges',
      () => selectChargeOutcomes(sinceThen(1)),
      'SEARCH transactions USING INTEGER PRIMARY KEY (rowid>?)',
    ],
    [
      'what was settled later',
      () => selectLaterOutcomes(sinceThen(1)),
      'SEARCH transactions USING INDEX transactions_completed_later (completed_at_ms>?)',
    ],
    [
      'which holds were approved',
      () => selectHoldOutcomes(sinceThen(1)),
      'SEARCH transactions USING INTEGER PRIMARY KEY (rowid>?)',
    ],
    [
      'what is tried again',
      () => selectRetriedOutcomes(sinceThen(1)),
      'SEARCH transactions USING INDEX transactions_retried (asked_at_ms>?)',
    ],
    [
      'unknown outcomes',
      () => selectUnknown('charge', 10),
      'SCAN transactions USING INDEX transactions_unknown',
    ],
    [
      'what is overdue',
      () => selectLate('charge', 1, 10),
      'SEARCH transactions USING INDEX transactions_due (due_at_ms<?)',
    ],
    [
      'what was made with a warning',
      () => selectWarned(1, 10),
      'SEARCH transactions USING INDEX transactions_warned (created_at_ms>?)',
    ],
    [
      'unknown refunds',
      () => selectUnknown('refund', 10),
      'SCAN refunds USING INDEX refunds_unknown',
    ],
    [
      'overdue refunds',
      () => selectLate('refund', 1, 10),
      'SEARCH refunds USING INDEX refunds_due (due_at_ms<?)',
    ],
    [
      'sums of schedules',
      () => selectUpcomingSums(1),
      'SEARCH transactions USING COVERING INDEX transactions_scheduled (due_at_ms<?)',
    ],
    [
      'what comes',
      () => selectComing(null, 1, { limit: 10 }),
      'SEARCH transactions USING INDEX transactions_due (due_at_ms<?)',
    ],
    [
      'what plans charge',
      () => selectPlannedParts(null, 1, { limit: 10 }),
      'SEARCH payment_plans USING INDEX payment_plans_due (due_at_ms<?)',
    ],
    [
      'properties that are behind',
      () => selectPropertiesBehind(),
      'SEARCH outbox EXISTS USING INDEX outbox_unsettled (property_id=?)',
    ],
    [
      'backlogs',
      () => selectBacklogs(10),
      'SEARCH outbox USING INDEX outbox_unsettled (property_id=?)',
    ],
    ['dead messages', () => selectDead(10), 'SCAN outbox USING INDEX outbox_dead'],
    [
      'unfinished export runs',
      () => selectUnfinishedRuns(1, 10),
      'SEARCH export_runs USING INDEX export_runs_unfinished (started_at_ms>?)',
    ],
    [
      'export runs',
      () => selectRuns({}, { limit: 10 }),
      'SCAN export_runs USING INDEX sqlite_autoindex_export_runs_1',
    ],
    [
      'disbursements',
      () => selectPayouts(null, { limit: 10 }),
      'SCAN disbursements USING INDEX disbursements_newest',
    ],
    [
      'failed payments',
      () => selectFailed(null, 1, { limit: 10 }),
      'SEARCH transactions USING INDEX transactions_failed_anywhere (learnt_at_ms>?)',
    ],
    [
      'differences',
      () => selectDifferences(null, 1, { limit: 10 }),
      'SCAN exceptions USING INDEX exceptions_newest_open',
    ],
    [
      'sums of refunds',
      () => selectRefundSums(1),
      'SEARCH learnt USING COVERING INDEX refunds_by_change (property_id=? AND learnt_at_ms>?)',
    ],
    [
      'failed refunds',
      () => selectFailedRefunds(null, 1, { limit: 10 }),
      'SEARCH refunds USING INDEX refunds_failed_anywhere (learnt_at_ms>?)',
    ],
    [
      'cancellations that are not settled',
      () => selectUnsettled(null, 1, { limit: 10 }),
      'SEARCH settlements USING INDEX settlements_incomplete_anywhere (ended_at_ms>?)',
    ],
    [
      'open disputes',
      () => selectDisputesByDeadline(null, 1, { limit: 10 }),
      'SEARCH disputes USING INDEX disputes_open_anywhere (status=?)',
    ],
    [
      'endpoints that are behind',
      () => selectEndpointsBehind(1, 10),
      'SEARCH webhook_deliveries USING COVERING INDEX webhook_deliveries_dead (endpoint_id=?)',
    ],
    [
      'a message to dismiss',
      () => selectToDismiss('id'),
      'SEARCH outbox USING PRIMARY KEY (message_id=?)',
    ],
    [
      'a session that was ended',
      () => selectEndedSession('id'),
      'SEARCH ended_sessions USING COVERING INDEX sqlite_autoindex_ended_sessions_1 (id=?)',
    ],
  ])('finds %s by an index, in its order', async (name, query, found) => {
    const plan = await planOf(query());
    expect(plan).toContain(found);
    // Properties are few. What is read from an index's beginning is in the order in which it is shown, up to its limit.
    const whole =
      /SCAN (?:transactions|refunds|outbox|disbursements|newest)(?! USING INDEX \w+_(?:unknown|dead|open|newest)$)/m;
    expect(plan).not.toMatch(whole);
    expect(plan).not.toMatch(/SEARCH (?:transactions|refunds) USING .*\(property_id=\?\)$/m);
    expect(plan.includes('USE TEMP B-TREE FOR ORDER BY')).toBe(SORTED.has(name));
    expect(query().prepare().getQuery().sql).toContain('limit');
  });
});
