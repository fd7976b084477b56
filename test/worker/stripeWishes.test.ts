/** With Stripe: an end that is asked for while nobody here knows what became of a payment. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { atTime, bookingOf, call, makeBooking, transactionsOf } from '../support/api.ts';
import { loseAnswers, wakeAt } from '../support/faults.ts';
import { visit } from '../support/guest.ts';
import { selectStripe, tellOf } from '../support/onStripe.ts';
import { story } from '../support/story.ts';
import { confirmationTokens, type FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

const WARNED = ['may_have_been_taken'];
const DUE_MS = Math.ceil(Date.now() / SECOND_MS) * SECOND_MS + DAY_MS;
const DUE = new Date(DUE_MS).toISOString();

/** What goes wrong with a post, whether Stripe carried it out or not. */
const postFaults = [
  '500 after execution',
  'malformed after execution',
  '429',
  '409 in progress',
  'reset before execution',
] as const;

let stripe: FakeStripe;
let reference = '';
let made = 0;

beforeEach(() => {
  stripe = selectStripe();
  made += 1;
  reference = `END-${made}`;
});

/** Something whose answer is lost, and how a caller ends it. */
interface Story {
  readonly boundary: 'gateway.charge' | 'gateway.authorize';
  /** Asks for the payment, and returns its id. */
  readonly ask: () => Promise<number>;
  readonly askedAtMs: () => number;
  readonly ends: (chargeId: number) => ReturnType<typeof call>;
  /** What it comes to where the request arrived, with what Stripe did; and where it did not. */
  readonly arrived: readonly [string, readonly string[]];
  readonly never: string;
}

const stories: Readonly<Record<string, Story>> = {
  schedule: {
    boundary: 'gateway.charge',
    ask: async () => {
      const body = { reference, amount: 600, time: DUE };
      const { json } = await call('/payment/v1/schedule', body);
      await wakeAt(reference, DUE_MS);
      return json.transaction.id;
    },
    askedAtMs: () => DUE_MS,
    ends: (chargeId) =>
      atTime(DUE_MS + 2 * SECOND_MS, () =>
        call('/payment/v1/cancel-schedule', { reference, chargeId }),
      ),
    arrived: ['Accepted', ['charge']],
    never: 'Cancelled',
  },
  hold: {
    boundary: 'gateway.authorize',
    ask: async () => {
      const expiryTime = new Date(DUE_MS + 5 * DAY_MS).toISOString();
      const hold = { reference, amount: 600, preAuth: true, expiryTime };
      return (await call('/payment/v1/create', hold)).json.transaction.id;
    },
    askedAtMs: () => Date.now(),
    ends: (chargeId) => call('/payment/v1/cancel-pre-auth', { reference, chargeId }),
    arrived: ['Released', ['authorization', 'release']],
    never: 'Released',
  },
};

/** Loses the answer to a request that arrived, and returns the payment's id here. */
async function lost({ ask, boundary }: Story): Promise<number> {
  await makeBooking(reference, '4242424242424242');
  const found = loseAnswers(boundary, 1);
  try {
    return await ask();
  } finally {
    found();
  }
}

const statuses = async () => (await transactionsOf(reference)).map(({ status }) => status);
const done = () => stripe.ledger(reference).map(({ kind }) => kind);

/** Lets whatever Stripe is asked go wrong while something runs. */
async function whileReading(answers: () => Promise<Response>, run: () => Promise<unknown>) {
  const fetch = vi.mocked(globalThis.fetch);
  fetch.mockImplementation((input, init) =>
    new Request(input, init).method === 'GET' ? answers() : stripe.fetch(input, init),
  );
  await run();
  fetch.mockImplementation(stripe.fetch);
}

describe.each(Object.entries(stories))('the end of a lost %s', (_, story) => {
  it.each<[string, () => Promise<Response>]>([
    ['is out of reach', () => Promise.reject(new TypeError('connection reset'))],
    ['has too many requests', () => Promise.resolve(Response.json({}, { status: 429 }))],
    ['has an error', () => Promise.resolve(Response.json({}, { status: 500 }))],
    ['breaks off', () => Promise.resolve(new Response('{"object": "list"'))],
  ])('waits for the answer where Stripe %s, and goes by it', async (_fault, answers) => {
    const chargeId = await lost(story);
    await whileReading(answers, async () => {
      for (const time of ['first', 'again']) {
        const { json, status } = await story.ends(chargeId);
        const said = [time, status, json.transaction.status, json.warnings];
        expect(said).toEqual([time, 200, 'Processing', WARNED]);
      }
      await wakeAt(reference, story.askedAtMs() + MINUTE_MS);
      expect(await statuses()).toEqual(['Processing']);
    });
    await wakeAt(reference, story.askedAtMs() + 2 * HOUR_MS);
    expect([(await statuses())[0], done()]).toEqual(story.arrived);
  });

  it('sends nothing again where the request never arrived', async () => {
    await makeBooking(reference, '4242424242424242');
    stripe.failFor(reference, 'reset before execution');
    const chargeId = await story.ask();
    await story.ends(chargeId);
    for (const hours of [1, 8, 20, 23, 23.9]) {
      await wakeAt(reference, story.askedAtMs() + hours * HOUR_MS);
    }
    expect(await statuses()).toEqual(['Processing']);
    for (const hours of [24.1, 25.2]) {
      await wakeAt(reference, story.askedAtMs() + hours * HOUR_MS);
    }
    expect([await statuses(), done()]).toEqual([[story.never], []]);
  });
});

describe('a lost hold that is to end', () => {
  const hold = stories['hold'] as Story;

  it.each(postFaults)('is let go once, where Stripe cancels it with %s', async (fault) => {
    const chargeId = await lost(hold);
    stripe.failAt('/cancel', fault);
    await hold.ends(chargeId);
    await wakeAt(reference, Date.now() + 10 * MINUTE_MS);
    await hold.ends(chargeId);
    await wakeAt(reference, Date.now() + 2 * HOUR_MS);
    expect([await statuses(), done()]).toEqual([['Released'], ['authorization', 'release']]);
  });

  it.each([
    ['the caller ends it', (chargeId: number) => hold.ends(chargeId)],
    [
      'its booking is cancelled',
      () =>
        call('/booking/v1/create/manage-payments', bookingOf(reference, { status: 'cancelled' })),
    ],
  ])('counts as taken where it was captured in the dashboard before %s', async (_, ends) => {
    const chargeId = await lost(hold);
    stripe.captureInDashboard(stripe.intents.at(-1)?.id ?? '', 20_000);
    await ends(chargeId);
    await wakeAt(reference, Date.now() + 2 * MINUTE_MS);
    expect(await transactionsOf(reference)).toMatchObject([{ status: 'Accepted', amount: 200 }]);
    expect(done()).toEqual(['authorization', 'capture']);
  });
});

describe('a lost hold that nobody ended', () => {
  const hold = stories['hold'] as Story;

  it.each([
    ['captured', 'Accepted', (id: string) => stripe.captureInDashboard(id, 20_000)],
    ['canceled', 'Released', (id: string) => stripe.cancelInDashboard(id)],
  ])('is what the dashboard made of it, however this is learnt: %s', async (_, status, act) => {
    for (const learns of ['the webhook', 'the alarm, then the webhook']) {
      reference = `END-${made} ${status} ${learns}`;
      await lost(hold);
      const id = stripe.intents.at(-1)?.id ?? '';
      act(id);
      if (learns !== 'the webhook') await wakeAt(reference, Date.now() + 2 * MINUTE_MS);
      expect(await tellOf('payment_intent.succeeded', { id })).toEqual([200, true]);
      expect([learns, await statuses()]).toEqual([learns, [status]]);
    }
  });
});

describe('a guest at their bank whose booking is cancelled', () => {
  const cancelBooking = () =>
    call('/booking/v1/create/manage-payments', bookingOf(reference, { status: 'cancelled' }));

  /** Leaves the guest at their bank, and returns Stripe's id of the payment. */
  async function atTheBank(): Promise<string> {
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
    const guest = await visit(reference);
    await guest.open(`${guest.page.path}/card`);
    await guest.submit({ confirmationToken: confirmationTokens.watched });
    await guest.submit();
    return stripe.intents.at(-1)?.id ?? '';
  }

  it.each(postFaults)('is stopped, where Stripe cancels the payment with %s', async (fault) => {
    const id = await atTheBank();
    stripe.failAt('/cancel', fault);
    expect((await cancelBooking()).status).toBe(200);
    await wakeAt(reference, Date.now() + 10 * MINUTE_MS);
    stripe.confirmAtBank(id);
    expect([await statuses(), done()]).toEqual([['Declined'], []]);
  });

  it.each(['before', 'while nobody reaches Stripe'])(
    'has paid if they allow it %s',
    async (when) => {
      const id = await atTheBank();
      if (when === 'before') stripe.confirmAtBank(id);
      else stripe.failAt('/cancel', 'reset before execution');
      expect((await cancelBooking()).status).toBe(200);
      stripe.confirmAtBank(id);
      await wakeAt(reference, Date.now() + 10 * MINUTE_MS);
      expect([await statuses(), done()]).toEqual([['Accepted'], ['charge']]);
    },
  );
});
