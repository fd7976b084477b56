import { propertyTime } from '../../core/propertyClock.ts';
import { isDueSoon } from '../../money/disputes/rules.ts';
import { zonedInstant } from '../format.ts';
import { words } from '../words.ts';
import { MOST_SHOWN, type Overview } from './overview.ts';

const { verdict: copy } = words.ops;

/** Something that needs somebody: what, and where that is: a part of the operations page, or a path of this service. */
export interface Trouble {
  readonly text: string;
  readonly href: string;
}

/** What does not work, or waits for somebody, and why; nothing where all is well. */
export function troublesOf(overview: Overview): Trouble[] {
  const { health, lists, outcomes, unknown } = overview;
  const failed = outcomes.failedByHour.reduce((sum, number) => sum + number, 0);
  const outcomesUnknown = unknown.operations.length;
  const open = lists.differences.length;
  const all: readonly (readonly [boolean, string, string])[] = [
    [!overview.isWhole, copy.away, '/health'],
    [health.keys === 'missing', copy.keys, '/docs/operations/admin/v1/keyring/list'],
    [health.payments === 'late', copy.late, '#unknown'],
    [health.acquirer === 'rejecting', copy.rejecting, '#upcoming'],
    [outcomesUnknown > 0, copy.unknown({ number: outcomesUnknown }), '#unknown'],
    [failed > 0, copy.failed({ number: failed }), '#outcomes'],
    ...messageTroubles(overview),
    [health.events !== 'delivered', copy.events, '#endpoints'],
    ...disputeTroubles(overview),
    [health.reconciliation === 'late', copy.notCompared, '#comparisons'],
    [open > 0, counted(copy.differences, open, MOST_SHOWN.listed), '/ops/differences'],
    [health.exports === 'late', copy.exports, '#runs'],
  ];
  return all.filter(([is]) => is).map(([, text, href]) => ({ text, href }));
}

/** A text with the number of entries of which at most so many were read, and one more. */
function counted(
  text: (values: { number: number }) => string,
  number: number,
  most: number,
): string {
  return number > most ? copy.more({ text: text({ number: most }) }) : text({ number });
}

/** The PMSs that do not take their messages, each once, with the cause. */
function messageTroubles({ backlogs, health }: Overview) {
  const failing = backlogs.filter(({ failingSinceMs }) => failingSinceMs !== null);
  if (failing.length === 0) {
    return [[health.messages !== 'delivered', copy.messagesLate, '#outbox'] as const];
  }
  return failing.map(({ cause, depth, failingSinceMs, propertyId, timeZone }) => {
    const time = zonedInstant(failingSinceMs ?? 0, timeZone);
    const why = { number: depth, time, cause: cause ?? copy.noCause };
    return [true, copy.messages({ property: propertyId, ...why }), '#outbox'] as const;
  });
}

/** Open disputes whose answer is overdue, and those where it is due soon, by the clocks of their properties. */
function disputeTroubles({ lists, nowMs }: Overview) {
  const open = lists.disputes.filter(({ status }) => status === 'needs_response');
  const late = open.filter((row) => (row.respondByMs ?? nowMs) < propertyTime(row, nowMs));
  const soon = open.filter((row) => isDueSoon(row.respondByMs, propertyTime(row, nowMs)));
  const [first] = soon;
  const time = first ? zonedInstant(first.respondByMs ?? 0, first.timeZone) : '';
  const isLate = counted(copy.disputesLate, late.length, MOST_SHOWN.listed);
  return [
    [late.length > 0, isLate, '/ops/disputes'],
    [soon.length > 0, copy.disputesSoon({ number: soon.length, time }), '/ops/disputes'],
  ] as const;
}
