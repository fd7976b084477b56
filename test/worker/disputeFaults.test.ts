/** An answer to a dispute, cut off at every boundary that it crosses: the acquirer takes it once, and both sides agree. */
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { SandboxGateway } from '../../src/gateways/sandbox.ts';
import type { SpanName } from '../../src/platform/trace.ts';
import { type Answer, call, testEnv } from '../support/api.ts';
import { openDispute } from '../support/existing.ts';
import {
  type Crossed,
  type FaultKind,
  faultKinds,
  loseAlarm,
  loseAnswers,
  placesOf,
  spansOf,
  sweepFrom,
  wakeAt,
  withFault,
} from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import { story } from '../support/story.ts';

story({ freshDatabase: true, silent: ['pms'] });

const ANSWERS = ['submit', 'accept'] as const;

type Answering = (typeof ANSWERS)[number];

const keyed = (reference: string) => ({ headers: { 'Idempotency-Key': reference } });

function answer(path: Answering, reference: string, disputeId: string): Promise<Answer> {
  return call(`/dispute/v1/${path}`, { disputeId }, keyed(reference));
}

/** How a dispute stands at the acquirer, and here. */
async function standing(disputeId: string) {
  const report = await new SandboxGateway(testEnv).dispute(disputeId);
  const row = await testEnv.DB.prepare(
    'SELECT status, pending_answer AS pending, answer FROM disputes WHERE id = ?',
  )
    .bind(disputeId)
    .first<{ status: string; pending: string | null; answer: string | null }>();
  if (report.kind !== 'dispute' || !row) throw new Error('there is no dispute');
  return { theirs: report.dispute.status, theirAnswer: report.dispute.answer ?? null, ...row };
}

/** How many times an answer was tried to be recorded in the audit trail as taken. */
async function takenIn(disputeId: string): Promise<number> {
  const row = await testEnv.DB.prepare(
    "SELECT count(*) AS taken FROM history WHERE subject_kind = 'dispute' AND subject_id = ? AND from_state = 'Processing' AND to_state <> 'needs_response'",
  )
    .bind(disputeId)
    .first<{ taken: number }>();
  return row?.taken ?? 0;
}

const AFTER = { submit: 'under_review', accept: 'lost' } as const;

/** Answers a dispute with one fault, lets the sweep alone recover it, and tells what does not agree then. */
async function cutOff(path: Answering, kind: FaultKind, crossed: Crossed): Promise<string[]> {
  const reference = `${path} ${kind} ${crossed.index}`;
  const disputeId = await openDispute(reference);
  await withFault(crossed.index, kind, () => answer(path, reference, disputeId));
  await loseAlarm(reference);
  await sweepFrom(Date.now(), 3, 20);
  const before = await standing(disputeId);
  // Who hears nothing asks again under the same key.
  const again = await answer(path, reference, disputeId);
  const after = await standing(disputeId);
  const isRight =
    again.status === 200 &&
    after.theirs === AFTER[path] &&
    after.status === after.theirs &&
    after.pending === null &&
    before.pending === null &&
    (await takenIn(disputeId)) === 1;
  return isRight
    ? []
    : [
        `${kind} at ${crossed.index} ${crossed.boundary}: ${JSON.stringify({ before, after, again: again.json })}`,
      ];
}

const seen = new Set<SpanName>();

describe.each(ANSWERS)('%s', (path) => {
  it('is taken once, at whichever boundary it is cut off', async () => {
    const disputeId = await openDispute(path);
    const crossed = await spansOf(() => answer(path, path, disputeId));
    for (const { boundary } of crossed) seen.add(boundary);
    const wrong: string[] = [];
    for (const kind of someOf(faultKinds, 4)) {
      for (const one of placesOf(kind, crossed, 32)) wrong.push(...(await cutOff(path, kind, one)));
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it.each(faultKinds)(
    'whose answer was lost is found out although that is cut off: %s',
    async (kind) => {
      const span = path === 'submit' ? 'gateway.evidence' : 'gateway.acceptance';
      const lost = async (reference: string) => {
        const disputeId = await openDispute(reference);
        const found = loseAnswers(span, 1);
        expect((await answer(path, reference, disputeId)).json.code).toBe('outcome_unknown');
        found();
        return disputeId;
      };
      const first = `lost ${path} ${kind}`;
      await lost(first);
      const crossed = await spansOf(() => wakeAt(first, Date.now() + HOUR_MS));
      for (const { boundary } of crossed) seen.add(boundary);
      for (const one of placesOf(kind, crossed, 8)) {
        const reference = `${first} ${one.index}`;
        const disputeId = await lost(reference);
        await withFault(one.index, kind, () => wakeAt(reference, Date.now() + HOUR_MS));
        await loseAlarm(reference);
        await sweepFrom(Date.now() + HOUR_MS, 3, 20);
        expect(await standing(disputeId)).toMatchObject({
          theirs: AFTER[path],
          status: AFTER[path],
          pending: null,
        });
        expect(await takenIn(disputeId)).toBe(1);
      }
    },
  );

  it('that never arrived is sent again under its key', async () => {
    const reference = `never ${path}`;
    const disputeId = await openDispute(reference);
    const method = path === 'submit' ? 'submitEvidence' : 'acceptDispute';
    const send = vi
      .spyOn(SandboxGateway.prototype, method)
      .mockResolvedValueOnce({ kind: 'unknown', reason: 'lost on the way' });
    expect((await answer(path, reference, disputeId)).json.code).toBe('outcome_unknown');
    await wakeAt(reference, Date.now() + HOUR_MS);
    const keys = send.mock.calls.map(([{ idempotencyKey }]) => idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await standing(disputeId)).toMatchObject({ status: AFTER[path], pending: null });
    send.mockRestore();
  });
});

describe('the look at the acquirer', () => {
  it.each(faultKinds)('is made again where it is cut off: %s', async (kind) => {
    const decided = async (reference: string) => {
      const disputeId = await openDispute(reference);
      expect((await answer('submit', reference, disputeId)).status).toBe(200);
      return disputeId;
    };
    const dueMs = Date.now() + 2 * DAY_MS + HOUR_MS;
    const first = `look ${kind}`;
    await decided(first);
    const crossed = await spansOf(() => wakeAt(first, dueMs));
    for (const { boundary } of crossed) seen.add(boundary);
    for (const one of placesOf(kind, crossed, 8)) {
      const reference = `${first} ${one.index}`;
      const disputeId = await decided(reference);
      await withFault(one.index, kind, () => wakeAt(reference, dueMs));
      await loseAlarm(reference);
      await sweepFrom(dueMs, 3, 90);
      expect(await standing(disputeId)).toMatchObject({ theirs: 'lost', status: 'lost' });
    }
  });

  it('is among what was cut off, with every boundary of an answer', () => {
    const named = [
      'd1.dispute.apply',
      'd1.dispute.intend',
      'd1.dispute.read',
      'd1.dispute.save',
      'gateway.acceptance',
      'gateway.dispute',
      'gateway.document',
      'gateway.evidence',
      'gateway.lookUp',
    ] as const;
    expect(named.filter((boundary) => !seen.has(boundary))).toEqual([]);
  });
});
