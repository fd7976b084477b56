import { describe, expect, it } from 'vitest';
import type { DisputeRecord } from '../../src/gateways/gateway.ts';
import { isAnswer, outcomeOfAnswer } from '../../src/gateways/rules/disputeAnswer.ts';
import { approval, rejection, unknown } from '../../src/gateways/rules/outcome.ts';

type Answer = DisputeRecord['answer'];

const record: DisputeRecord = {
  id: 'dp_1',
  status: 'needs_response',
  reason: 'fraudulent',
  currency: 'AUD',
  amountMinor: 5_000,
  feeMinor: 2_500,
  movements: [],
  openedAtMs: 1,
  respondByMs: 9,
  closedAtMs: null,
};

const became = (
  kind: 'evidence' | 'acceptance',
  status: DisputeRecord['status'],
  answer?: Answer,
  closedAtMs: number | null = null,
) =>
  outcomeOfAnswer(kind, {
    kind: 'dispute',
    dispute: { ...record, status, closedAtMs, ...(answer && { answer }) },
    about: { propertyId: 'demo', bookingReference: 'B-1', reference: 'r-1' },
    payment: 'pi_1',
  });

const OTHERWISE = rejection('the dispute was ended otherwise');

describe('what became of an answer to a dispute', () => {
  it('is unknown where the acquirer does not say, or does not show the dispute', () => {
    const silent = outcomeOfAnswer('evidence', { kind: 'unknown', reason: 'no answer in time' });
    expect(silent).toEqual(unknown('no answer in time'));
    const absent = outcomeOfAnswer('acceptance', { kind: 'absent' });
    expect(absent).toEqual(unknown('the acquirer does not show the dispute'));
  });

  it.each(['evidence', 'acceptance'] as const)(
    'is that none came while the dispute waits for one: %s',
    (kind) => {
      expect(became(kind, 'needs_response', 'evidence')).toEqual({ kind: 'absent' });
    },
  );

  it.each(['under_review', 'won', 'lost'] as const)(
    'is an approval for evidence that the acquirer has: %s',
    (status) => {
      expect(became('evidence', status, 'evidence', 8)).toEqual(approval('dp_1'));
      expect(became('evidence', status)).toEqual(OTHERWISE);
      expect(became('evidence', status, 'acceptance')).toEqual(OTHERWISE);
    },
  );

  it('is an approval for an acceptance where the dispute is lost, and no evidence was sent', () => {
    const accepted = approval('dp_1', { atMs: 8 });
    expect(became('acceptance', 'lost', undefined, 8)).toEqual(accepted);
    expect(became('acceptance', 'lost', 'acceptance', 8)).toEqual(accepted);
    expect(became('acceptance', 'lost', 'evidence', 8)).toEqual(OTHERWISE);
    expect(became('acceptance', 'won')).toEqual(OTHERWISE);
    expect(became('acceptance', 'under_review')).toEqual(OTHERWISE);
  });

  it('is looked up for answers alone', () => {
    const asked = ['evidence', 'acceptance', 'charge', 'refund', ''].filter(isAnswer);
    expect(asked).toEqual(['evidence', 'acceptance']);
  });
});
