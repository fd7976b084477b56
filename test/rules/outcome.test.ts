import { describe, expect, it } from 'vitest';
import {
  approval,
  disputeRejection,
  meaningOf,
  ofFollowUp,
  rejection,
  temporaryRejection,
  unknown,
} from '../../src/gateways/rules/outcome.ts';

describe('what an acquirer did', () => {
  it('is known of an approval only as far as it was said', () => {
    const plain = {
      kind: 'approved',
      gatewayReference: 'g-1',
      lapsesAtMs: null,
      amountMinor: null,
      atMs: null,
      pending: false,
    };
    expect(approval('g-1')).toStrictEqual(plain);
    const said = { lapsesAtMs: 9, amountMinor: 500, atMs: 8, pending: true };
    expect(approval('g-1', said)).toStrictEqual({ ...plain, ...said });
  });

  it('is nothing for good after a rejection, and may be something later after a temporary one', () => {
    const final = { kind: 'rejected', reason: 'why', temporary: false, retryAfterMs: null };
    expect(rejection('why')).toStrictEqual(final);
    expect(disputeRejection('why')).toStrictEqual({ ...final, isDisputed: true });
    expect(temporaryRejection('why')).toStrictEqual({ ...final, temporary: true });
    expect(temporaryRejection('why', 5)).toStrictEqual({
      ...final,
      temporary: true,
      retryAfterMs: 5,
    });
  });

  it('is unknown, with the wait that the acquirer asks for if it does', () => {
    expect(unknown('why')).toStrictEqual({ kind: 'unknown', reason: 'why' });
    expect(unknown('why', 0)).toStrictEqual({ kind: 'unknown', reason: 'why', retryAfterMs: 0 });
  });

  it('is unknown of a follow-up that is said to be open, and else as it was said', () => {
    const open = { kind: 'open', gatewayReference: 'g-1', url: null } as const;
    expect(ofFollowUp(approval('g-1'))).toStrictEqual(approval('g-1'));
    expect(ofFollowUp(rejection('why'))).toStrictEqual(rejection('why'));
    expect(ofFollowUp(open)).toStrictEqual(unknown('the payment is open'));
  });
});

describe('what the status of an error says', () => {
  it.each([
    ['open', [0, 200, 302, 399, 409, 424, 500, 503, 599]],
    ['temporary', [401, 403, 429]],
    ['final', [400, 402, 404, 408, 410, 422, 425, 428, 430, 499]],
  ] as const)('is %s', (meaning, statuses) => {
    for (const status of statuses) expect([status, meaningOf(status)]).toEqual([status, meaning]);
  });
});
