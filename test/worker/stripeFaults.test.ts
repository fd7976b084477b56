/** The fault table of money with Stripe selected: what goes wrong between the service and Stripe. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stripeDesk } from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { faultKinds, spansOf } from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import { agreeing, moneyCorrections, toldWithFault } from '../support/moneyCorrections.ts';
import { cutOff, moneyOperations, recovered } from '../support/moneyOperations.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import type { FakeStripe, StripeFault } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

/** What Stripe, or the way to it, does wrong. A hang is tried over real sockets, where its deadline is real. */
const stripeFaults: StripeFault[] = [
  '500 without error',
  '500 after execution',
  'malformed after execution',
  '429',
  '409 in progress',
  'reset before execution',
];

let stripe: FakeStripe;

// The outbox is sent beside the operations; its own faults are told in outbox.test.ts.

beforeEach(() => {
  stripe = selectStripe({ publishableKey: null });
});

// What guests do at the sandbox's bank has its like in stripeBankStep.test.ts.
const movingMoney = moneyOperations.filter(
  ({ name }) => name !== 'charge with a key' && !name.startsWith('guest'),
);

describe.each(movingMoney)('$name with Stripe', (operation) => {
  it('has one effect there and the same here, wherever the call to Stripe is cut off', async () => {
    const clean = `${operation.name} clean`;
    const prepared = await operation.prepare(clean);
    const crossed = await spansOf(() => operation.run(clean, prepared));
    const asked = crossed.filter(({ boundary }) => boundary.startsWith('gateway.'));
    expect(asked.length).toBeGreaterThan(0);
    expect(await recovered(clean, stripe.ledger)).toEqual([]);
    const wrong: string[] = [];
    for (const kind of faultKinds) {
      for (const one of someOf(asked)) {
        wrong.push(...(await cutOff(operation, kind, one, stripe.ledger)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(someOf(stripeFaults, 3))(
    'has one effect there and the same here after %s',
    async (fault) => {
      const reference = `${operation.name} ${fault}`.replaceAll(/[^\w ]/g, '');
      const prepared = await operation.prepare(reference);
      stripe.fail(fault);
      await operation.run(reference, prepared);
      expect(await recovered(reference, stripe.ledger)).toEqual([]);
    },
  );
});

/** What Stripe, or the way to it, does wrong when it is asked how things stand. */
const readingFaults: Readonly<Record<string, () => Promise<Response>>> = {
  'is out of reach': () => Promise.reject(new TypeError('connection reset')),
  'has too many requests': () => Promise.resolve(refusal(429, 'rate_limit')),
  'has an error': () => Promise.resolve(refusal(500, 'api_error')),
  'breaks off': () => Promise.resolve(new Response('{"id": "pi_', { status: 200 })),
};

function refusal(status: number, type: string): Response {
  return Response.json({ error: { type, message: 'not now' } }, { status });
}

describe.each(moneyCorrections)('news of a $name with Stripe', (correction) => {
  const { corrections, happens, name } = correction;

  it('is taken in once, and comes to the same wherever the call to Stripe is cut off', async () => {
    const tell = await happens(stripeDesk(stripe), name);
    expect((await disagreementsInAll(name)).length === 0).toBe(correction.movesNothing ?? false);
    const crossed = await spansOf(tell);
    expect(await agreeing(name, tell, 0)).toEqual([]);
    const asked = crossed.filter(({ boundary }) => boundary.startsWith('gateway.'));
    expect(asked.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    for (const kind of faultKinds) {
      for (const one of someOf(asked, 24)) {
        wrong.push(...(await toldWithFault(correction, stripeDesk(stripe), kind, one)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('comes to the same where Stripe does not answer', async () => {
    for (const [what, answers] of someOf(Object.entries(readingFaults), 4)) {
      const booking = `${name} ${what}`;
      const tell = await happens(stripeDesk(stripe), booking);
      const fetch = vi.mocked(globalThis.fetch);
      fetch.mockImplementation(answers);
      expect(await tell(), what).toBe('outcome_unknown');
      // The first answer comes, the next one does not.
      fetch.mockImplementationOnce(stripe.fetch);
      await tell();
      fetch.mockImplementation(stripe.fetch);
      expect(await agreeing(booking, tell, corrections), what).toEqual([]);
    }
  });
});
