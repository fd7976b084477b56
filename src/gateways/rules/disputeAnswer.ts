import type { DisputeAnswer } from '../../schema/disputeTables.ts';
import type { DisputeReport, LookUp } from '../gateway.ts';
import { approval, rejection, unknown } from './outcome.ts';

/**
 * What became of an answer to a dispute, by the dispute as the acquirer has it now: while that waits for an answer, it has
 * taken none. A dispute that ended otherwise takes none any more.
 */
export function outcomeOfAnswer(kind: DisputeAnswer, report: DisputeReport): LookUp {
  if (report.kind === 'unknown') return unknown(report.reason);
  if (report.kind === 'absent') return unknown('the acquirer does not show the dispute');
  const { answer, closedAtMs: atMs, id, status } = report.dispute;
  if (status === 'needs_response') return { kind: 'absent' };
  if (kind === 'evidence' && answer === 'evidence') return approval(id);
  // An acquirer may not say why a dispute was lost: nothing that was sent against it is an acceptance.
  if (kind === 'acceptance' && status === 'lost' && answer !== 'evidence') {
    return approval(id, { atMs });
  }
  return rejection('the dispute was ended otherwise');
}

/** Whether a look-up asks for an answer to a dispute. */
export function isAnswer(kind: string): kind is DisputeAnswer {
  return kind === 'evidence' || kind === 'acceptance';
}
