/** The fault table of money with Stripe selected: what goes wrong between the service and Stripe. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/core/time.ts';
import { newestPaid, stripeDesk, tellOfDispute } from '../support/acquirerDesk.ts';
import { disagreementsInAll } from '../support/agreement.ts';
import { call, makeBooking } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { faultKinds, placesOf, spansOf, wakeAt } from '../support/faults.ts';
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
    for (const kind of someOf(faultKinds, 2)) {
      for (const one of placesOf(kind, asked)) {
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
    for (const kind of someOf(faultKinds, 4)) {
      for (const one of placesOf(kind, asked, 24)) {
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

describe('evidence with Stripe', () => {
  /** A charge whose dispute waits for an answer; the dispute's id. */
  async function disputed(reference: string): Promise<string> {
    await makeBooking(reference, GOOD);
    await call('/payment/v1/create', { reference, amount: 10 });
    const paid = await newestPaid(reference);
    const disputeId = stripe.dispute(paid.payment, 'needs_response');
    await tellOfDispute(paid, disputeId);
    return disputeId;
  }

  const submitted = (disputeId: string) => call('/dispute/v1/submit', { disputeId });

  const evidenceOf = (disputeId: string) =>
    stripe.disputes.find(({ id }) => id === disputeId)?.evidence;

  it('names the same PDF when it is sent again', async () => {
    const disputeId = await disputed('PDF');
    stripe.failAt(`/v1/disputes/${disputeId}`, 'reset before execution');
    expect((await submitted(disputeId)).json.code).toBe('outcome_unknown');
    expect(evidenceOf(disputeId)).toEqual({});
    await wakeAt('PDF', Date.now() + HOUR_MS);
    const [file] = stripe.files;
    expect([stripe.files.length, evidenceOf(disputeId)?.['uncategorized_file']]).toEqual([
      1,
      file?.id,
    ]);
  });

  it.each(stripeFaults)('is taken without its PDF where the upload ends with %s', async (fault) => {
    const disputeId = await disputed(`PDF ${fault}`);
    stripe.failAt('/v1/files', fault);
    const { json, status } = await submitted(disputeId);
    expect([status, json.dispute.status]).toEqual([200, 'under_review']);
    const { customer_name, uncategorized_file } = evidenceOf(disputeId) ?? {};
    expect([customer_name, uncategorized_file]).toEqual([expect.any(String), undefined]);
  });
});
