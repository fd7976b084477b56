/** A guest's payment whose bank wants to verify them, with Stripe (stripe: Who pays). */
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { atTime, bookingOf, call, callAsAdmin, transactionsOf } from '../support/api.ts';
import { cancelPayment } from '../support/bank.ts';
import {
  faultKinds,
  loseAlarm,
  placesOf,
  spansOf,
  sweepFrom,
  wakeAt,
  withFault,
} from '../support/faults.ts';
import { type Guest, visit } from '../support/guest.ts';
import { someOf } from '../support/long.ts';
import { selectStripe, tellOf } from '../support/onStripe.ts';
import { disagreements } from '../support/oracle.ts';
import { story } from '../support/story.ts';
import { bankUrlOf, confirmationTokens, type FakeStripe } from '../support/stripe.ts';

story({ silent: ['alarms', 'pms'] });

let stripe: FakeStripe;

beforeEach(() => {
  stripe = selectStripe();
});

/** A guest whose card's bank asks at every payment, on the booking's page. */
async function withCard(reference: string): Promise<Guest> {
  await call('/booking/v1/create/manage-payments', bookingOf(reference));
  const guest = await visit(reference);
  await guest.open(`${guest.page.path}/card`);
  await guest.submit({ confirmationToken: confirmationTokens.watched });
  return guest;
}

/** A guest whose payment waits for them at their bank, and Stripe's id of it. */
async function atTheStep(reference: string): Promise<{ guest: Guest; id: string; step: string }> {
  const guest = await withCard(reference);
  await guest.submit();
  const id = stripe.intents.at(-1)?.id ?? '';
  return { guest, id, step: guest.page.path };
}

const callsTo = (path: string) =>
  stripe.calls.filter((one) => one.method === 'POST' && one.path === path);

async function statusesOf(reference: string): Promise<string[]> {
  return (await transactionsOf(reference)).map(({ status }) => status);
}

/** How Stripe sends a guest back. */
const comeBack = (guest: Guest, step: string, id: string) =>
  guest.open(`${step}?payment_intent=${id}&payment_intent_client_secret=${id}_secret_1`);

describe('a payment that the guest has to confirm', () => {
  it('is sent on-session, with the page to come back to', async () => {
    const { guest, id, step } = await atTheStep('PI-1');
    const { params } = callsTo('/v1/payment_intents').at(-1) ?? { params: new URLSearchParams() };
    expect(params.get('return_url')).toBe(`http://localhost${step}`);
    for (const absent of ['off_session', 'error_on_requires_action']) {
      expect(params.has(absent)).toBe(false);
    }
    expect(guest.page.html).toContain(bankUrlOf(id).replaceAll('&', '&amp;'));
    expect(await statusesOf('PI-1')).toEqual(['Processing']);
  });

  it('is accepted once when the guest comes back, whoever told of it first', async () => {
    const { guest, id, step } = await atTheStep('PI-2');
    stripe.confirmAtBank(id);
    await Promise.all([
      tellOf('payment_intent.succeeded', { id }),
      comeBack(guest, step, id),
      tellOf('payment_intent.succeeded', { id }),
    ]);
    expect(guest.page.path).toBe(step);
    expect(guest.page.html).toContain('Payment successful');
    await comeBack(guest, step, id);
    expect(guest.page.html).toContain('Payment successful');
    expect(await statusesOf('PI-2')).toEqual(['Accepted']);
    expect(await disagreements('PI-2', stripe.ledger)).toEqual([]);
  });

  it('is accepted although the guest never comes back', async () => {
    const { id } = await atTheStep('PI-3');
    expect(await tellOf('payment_intent.requires_action', { id }), 'still open').toEqual([
      200,
      true,
    ]);
    stripe.confirmAtBank(id);
    expect(await tellOf('payment_intent.succeeded', { id })).toEqual([200, true]);
    expect(await statusesOf('PI-3')).toEqual(['Accepted']);
  });

  it('is declined when the guest refuses, and can be paid again', async () => {
    const { guest, id, step } = await atTheStep('PI-4');
    stripe.refuseAtBank(id);
    await comeBack(guest, step, id);
    expect(guest.page.html).toContain('You can pay again and confirm it there.');
    await guest.open(guest.page.path.split('?')[0] ?? '');
    await guest.submit();
    const again = stripe.intents.at(-1)?.id ?? '';
    expect(again).not.toBe(id);
    stripe.confirmAtBank(again);
    await comeBack(guest, guest.page.path, again);
    expect(await statusesOf('PI-4')).toEqual(['Declined', 'Accepted']);
    expect(await disagreements('PI-4', stripe.ledger)).toEqual([]);
  });

  it('that is abandoned is canceled at Stripe, and only then declined', async () => {
    const { id } = await atTheStep('PI-5');
    await wakeAt('PI-5', Date.now() + 29 * MINUTE_MS);
    expect(await statusesOf('PI-5')).toEqual(['Processing']);
    await wakeAt('PI-5', Date.now() + 31 * MINUTE_MS);
    expect(stripe.intents.find((one) => one.id === id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    });
    expect(await transactionsOf('PI-5')).toMatchObject([{ status: 'Declined' }]);
  });

  it.each(['malformed after execution', '500 after execution', '429'] as const)(
    'whose cancellation is not answered ends by what Stripe has: %s',
    async (fault) => {
      const reference = `PI-6 ${fault}`;
      await atTheStep(reference);
      stripe.fail(fault);
      await wakeAt(reference, Date.now() + 31 * MINUTE_MS);
      expect(await statusesOf(reference)).toEqual(['Processing']);
      await wakeAt(reference, Date.now() + 32 * MINUTE_MS);
      expect(await statusesOf(reference)).toEqual(['Declined']);
    },
  );

  it('that was confirmed in the last moment is not canceled', async () => {
    const { id } = await atTheStep('PI-7');
    stripe.confirmAtBank(id);
    await wakeAt('PI-7', Date.now() + 31 * MINUTE_MS);
    expect(await statusesOf('PI-7')).toEqual(['Accepted']);
    expect(await disagreements('PI-7', stripe.ledger)).toEqual([]);
  });

  it('that the guest gives up is canceled at once', async () => {
    const { guest, id } = await atTheStep('PI-8');
    await cancelPayment(guest);
    expect(guest.page.html).toContain('The payment was cancelled. You were not charged.');
    expect(stripe.intents.find((one) => one.id === id)?.status).toBe('canceled');
  });

  it('is resolved by hand only by canceling it first', async () => {
    const { id } = await atTheStep('PI-9');
    const [charge] = await transactionsOf('PI-9');
    const override = { id: charge?.id, outcome: 'Failed', reason: 'the guest called' };
    const { status, json } = await atTime(Date.now() + 2 * HOUR_MS, () =>
      callAsAdmin('/admin/v1/operation/resolve', override),
    );
    expect([status, json.code]).toEqual([409, 'invalid_state']);
    expect(stripe.intents.find((one) => one.id === id)?.status).toBe('canceled');
    expect(await statusesOf('PI-9')).toEqual(['Declined']);
  });
});

/** What a guest does at once, on a booking that `prepare` has made ready: the function that does it. */
const guestActs = {
  'a guest pays': async (reference: string) => {
    const guest = await withCard(reference);
    return () => guest.submit();
  },
  'a guest comes back who confirmed it': async (reference: string) => {
    const { guest, id, step } = await atTheStep(reference);
    stripe.confirmAtBank(id);
    return () => comeBack(guest, step, id);
  },
  'a guest gives it up': async (reference: string) => {
    const { guest } = await atTheStep(reference);
    return () => cancelPayment(guest);
  },
  'a payment is abandoned': async (reference: string) => {
    await atTheStep(reference);
    return () => wakeAt(reference, Date.now() + HOUR_MS);
  },
};

describe.each(Object.entries(guestActs))(
  'cut off at whichever boundary while %s',
  (act, prepare) => {
    it.each(someOf(faultKinds, 2))('it is taken once at most: %s', async (kind) => {
      const clean = await prepare(`${act} ${kind}`);
      const crossed = await spansOf(clean);
      const wrong: string[] = [];
      for (const { index, boundary } of placesOf(kind, crossed, 12)) {
        const reference = `${act} ${kind} ${index}`;
        const run = await prepare(reference);
        await withFault<unknown>(index, kind, run);
        // The bank lets the guest confirm whatever is open, whoever crashed.
        for (const { id, metadata } of stripe.intents) {
          if (metadata['booking'] === reference && index % 2 === 0) stripe.confirmAtBank(id);
        }
        await loseAlarm(reference);
        await sweepFrom(Date.now(), 3, 20, 40);
        const found = await disagreements(reference, stripe.ledger);
        wrong.push(...found.map((what) => `${kind} at ${index} ${boundary}: ${what}`));
      }
      expect(wrong).toEqual([]);
    });
  },
);

describe('who pays', () => {
  async function payment(initiator: string) {
    const reference = `WHO ${initiator}`;
    await call('/booking/v1/create/manage-payments', bookingOf(reference));
    const guest = await visit(reference);
    await guest.open(`${guest.page.path}/card`);
    await guest.submit({ confirmationToken: confirmationTokens.good });
    const answer = await call('/payment/v1/create', { reference, amount: 10, initiator });
    return { answer, params: callsTo('/v1/payment_intents').at(-1)?.params };
  }

  it('is off-session when the property does', async () => {
    const { answer, params } = await payment('property');
    expect(answer.status).toBe(200);
    expect(params?.get('off_session')).toBe('true');
    expect(params?.has('payment_method_options[card][moto]')).toBe(false);
  });

  it('is a telephone order when it is by phone', async () => {
    stripe.phoneOrders = true;
    const { answer, params } = await payment('phone');
    expect(answer.status).toBe(200);
    expect(params?.get('payment_method_options[card][moto]')).toBe('true');
    expect(params?.has('off_session')).toBe(false);
  });

  it('is refused by Stripe where the account takes no telephone orders', async () => {
    const { answer } = await payment('phone');
    expect([answer.status, answer.json.code]).toEqual([502, 'gateway_error']);
  });

  it('asks for the longest hold of a telephone order too', async () => {
    stripe.phoneOrders = true;
    await payment('phone');
    const expiryTime = new Date(Date.now() + 10 * 24 * HOUR_MS).toISOString();
    const hold = { reference: 'WHO phone', amount: 5, preAuth: true, expiryTime };
    await call('/payment/v1/create', { ...hold, initiator: 'phone' });
    const params = callsTo('/v1/payment_intents').at(-1)?.params;
    expect(params?.get('payment_method_options[card][moto]')).toBe('true');
    expect(params?.get('payment_method_options[card][request_extended_authorization]')).toBe(
      'if_available',
    );
  });
});

describe('a card whose bank wants to verify its holder, handed over by somebody else', () => {
  const card = { cardNumber: '4000002760003184', cardExpiry: '12/2030', cvv: '123' };

  it('is kept where the account takes telephone orders', async () => {
    stripe.phoneOrders = true;
    const { status } = await call('/payment/v1/tokenize', card);
    expect(status).toBe(200);
    expect(
      callsTo('/v1/setup_intents').at(-1)?.params.get('payment_method_options[card][moto]'),
    ).toBe('true');
  });

  it('is declined where it does not', async () => {
    const { status, json } = await call('/payment/v1/tokenize', card);
    expect([status, json.declineCode]).toEqual([402, 'authentication_required']);
  });

  it('is an ordinary card where its bank does not ask', async () => {
    const { status } = await call('/payment/v1/tokenize', {
      ...card,
      cardNumber: '4242424242424242',
    });
    expect(status).toBe(200);
    expect(callsTo('/v1/setup_intents')).toHaveLength(2);
  });
});
