import { expect, it } from 'vitest';
import { SingleFlight } from '../../src/booking/singleFlight.ts';
import type { CallerKey } from '../../src/operation/idempotency.ts';
import type { Reply } from '../../src/operation/reply.ts';
import { Trace } from '../../src/platform/trace.ts';

const context = { propertyId: 'demo', reference: 'RES-1', requestId: 'first', actor: 'client' };

function keyed(amount: number): CallerKey {
  return { operation: 'create', key: 'key-1', request: { amount } };
}

function replyOf(value: string): Reply<string> {
  const answered = { answer: { ok: true as const, value }, requestId: 'first', replayed: false };
  return { answered, cost: new Trace().cost() };
}

it('an operation lets another request with the key of a running one decide for itself, once that has ended', async () => {
  const flight = new SingleFlight();
  const ran: string[] = [];
  let end: () => void = () => undefined;
  const first = flight.run(context, keyed(1), async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    ran.push('first');
    return replyOf('first');
  });
  const second = flight.run(context, keyed(2), async () => {
    ran.push('second');
    return replyOf('second');
  });
  end();
  expect((await first).answered.answer).toEqual({ ok: true, value: 'first' });
  expect((await second).answered).toMatchObject({ answer: { value: 'second' }, replayed: false });
  expect(ran).toEqual(['first', 'second']);
});
