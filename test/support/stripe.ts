/** Stripe's HTTP as far as the adapter speaks it, with an account's own memory and scripted faults. */

/** What a request said. */
export interface StripeCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly params: URLSearchParams;
}

/** How an answer goes wrong: after the request was carried out, or before. */
export type StripeFault =
  | 'hang after execution'
  | '500 without error'
  | '500 after execution'
  | 'malformed after execution'
  | '429'
  | '409 in progress'
  | 'reset before execution';

interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  status: string;
  readonly amount: number;
  amount_received: number;
  readonly currency: string;
  readonly customer: string;
  readonly created: number;
  readonly metadata: Record<string, string>;
  last_payment_error: { code: string; decline_code: string } | null;
  latest_charge: object | null;
}

interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly status: string;
  readonly amount: number;
  readonly payment_intent: string;
  readonly metadata: Record<string, string>;
}

interface Setup {
  readonly id: string;
  readonly object: 'setup_intent';
  status: string;
  readonly customer: string;
  readonly metadata: Record<string, string>;
  readonly next_action: object | null;
  readonly payment_method: object | null;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

const declines: Readonly<Record<string, string>> = {
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
  '4000002760003184': 'authentication_required',
};

interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly reason: string;
  status: string;
  readonly payment_intent: Intent;
}

interface Payout {
  readonly id: string;
  readonly object: 'payout';
  status: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  readonly arrival_date: number;
  readonly description: string | null;
  readonly statement_descriptor: null;
  automatic: boolean;
  readonly reconciliation_status: 'completed';
}

interface BalanceTransaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly type: string;
  readonly reporting_category: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly created: number;
  readonly available_on: number;
  readonly description: string | null;
  readonly source: object | null;
  payout: string | null;
}

/** Something that Stripe did, as the oracle of the fault tables reads it. */
interface StripeEffect {
  readonly kind: 'charge' | 'authorization' | 'capture' | 'release' | 'refund';
  readonly idempotencyKey: string;
  readonly amount: number;
  readonly booking: string;
}

/** What Stripe keeps of a charge: 1.75 % and 30 cents. */
const feeOf = (amount: number) => Math.round(amount * 0.0175) + 30;

/** Confirmation tokens of the form in the page, by what becomes of their cards. */
export const confirmationTokens = {
  good: 'ctoken_good',
  /** Its bank wants to see the holder at every charge. */
  watched: 'ctoken_watched',
  declined: 'ctoken_declined',
  /** The holder's bank wants to see them first. */
  bank: 'ctoken_bank',
} as const;

/** Where the guest's bank is. */
export const BANK_URL = 'https://hooks.stripe.com/redirect/authenticate/src_1';

/** Stripe never gives a name twice. */
let ids = 0;

export class FakeStripe {
  readonly calls: StripeCall[] = [];
  readonly setups: Setup[] = [];
  readonly effects: StripeEffect[] = [];
  readonly disputes: Dispute[] = [];
  readonly payouts: Payout[] = [];
  readonly balance: BalanceTransaction[] = [];
  readonly intents: Intent[] = [];
  readonly refunds: Refund[] = [];
  /** How many a list shows at once: few, so that pages are turned. */
  pageSize = 3;
  readonly #methods = new Map<string, string>();
  readonly #answers = new Map<string, { readonly request: string; readonly answer: Answer }>();
  readonly #faults: { readonly fault: StripeFault; readonly reference: string | undefined }[] = [];

  /** Lets the next requests that move money go wrong. */
  fail(...faults: StripeFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, reference: undefined })));
  }

  /** Lets the next request for a booking go wrong, whatever happens to others meanwhile. */
  failFor(reference: string, fault: StripeFault): void {
    this.#faults.push({ fault, reference });
  }

  /** What was done for a booking, in the oracle's words. */
  readonly ledger = (reference: string): StripeEffect[] =>
    this.effects.filter(({ booking }) => booking === reference);

  /** A cardholder's bank disputes a payment, or thinks otherwise of it. */
  dispute(paymentId: string, status: string): string {
    const known = this.disputes.find(({ payment_intent: of }) => of.id === paymentId);
    if (known) {
      known.status = status;
      return known.id;
    }
    const payment = this.#intent(paymentId);
    if (!payment) throw new Error('no such payment');
    const id = this.#id('dp');
    const { amount, currency } = payment;
    const created = now();
    const what = { amount, currency, created, reason: 'fraudulent', payment_intent: payment };
    this.disputes.push({ id, object: 'dispute', status, ...what });
    return id;
  }

  /** A refund that was made fails after all. */
  failRefund(id: string): void {
    const refund = this.refunds.find((one) => one.id === id);
    if (refund) Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  }

  /** Pays out everything that was not paid out yet, and what it costs. */
  payOut(status = 'in_transit'): Payout {
    const id = this.#id('po');
    const items = this.balance.filter(({ payout }) => payout === null);
    for (const item of items) item.payout = id;
    const amount = items.reduce((sum, { net }) => sum + net, 0);
    const created = now();
    const times = { created, arrival_date: created + 86_400, description: null };
    const kind = { object: 'payout', statement_descriptor: null } as const;
    const told = { automatic: true, reconciliation_status: 'completed' as const };
    const payout = { id, ...kind, status, amount, currency: 'aud', ...times, ...told };
    this.payouts.push(payout);
    this.#move('payout', 'payout', -amount, 0, payout, id);
    return payout;
  }

  /** The money of a payout that failed is to be paid out again. */
  comeBack(payout: Payout): void {
    this.#move('payout_failure', 'payout_reversal', payout.amount, 0, payout);
  }

  /** A cardholder's bank takes the money of a payment back. */
  withdraw(paymentId: string): void {
    const id = this.dispute(paymentId, 'lost');
    const amount = this.#intent(paymentId)?.amount_received ?? 0;
    this.#move('adjustment', 'dispute', -amount, 0, {
      id,
      object: 'dispute',
      metadata: {},
      payment_intent: paymentId,
    });
  }

  /** Money that moved besides, such as Stripe's own fee. */
  adjust(amount: number): void {
    this.#move('stripe_fee', 'fee', amount, 0, null);
  }

  /** The holder of a card was at their bank, and said that it is them. */
  confirmSetup(id: string): void {
    const setup = this.setups.find((one) => one.id === id);
    if (setup) setup.status = 'succeeded';
  }

  /** Plays `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const sent = new TextDecoder().decode(await request.arrayBuffer());
    const text = request.method === 'GET' ? url.search : sent;
    const call: StripeCall = {
      method: request.method,
      path: url.pathname,
      headers: request.headers,
      params: new URLSearchParams(text),
    };
    this.calls.push(call);
    const fault = call.method === 'POST' ? this.#nextFault(call.params) : undefined;
    return this.#answer(call, fault, init?.signal ?? null);
  };

  #nextFault(params: URLSearchParams): StripeFault | undefined {
    const at = this.#faults.findIndex(
      ({ reference }) => reference === undefined || reference === params.get('metadata[booking]'),
    );
    return at === -1 ? undefined : this.#faults.splice(at, 1)[0]?.fault;
  }

  async #answer(
    call: StripeCall,
    fault: StripeFault | undefined,
    signal: AbortSignal | null,
  ): Promise<Response> {
    switch (fault) {
      case '429':
        return json(429, { error: { type: 'invalid_request_error', code: 'rate_limit' } });
      case '409 in progress':
        return json(409, {
          error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'wait' },
        });
      case 'reset before execution':
        throw new TypeError('connection reset');
      case '500 without error':
        return json(500, {});
      default:
    }
    const { status, body } = this.#once(call);
    switch (fault) {
      case 'hang after execution':
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        });
      case '500 after execution':
        return json(500, { error: { type: 'api_error', message: 'sorry' } });
      case 'malformed after execution':
        return new Response('{"id": "pi_', { status: 200 });
      default:
        return json(status, body);
    }
  }

  /** The same key gets the same answer again; with other parameters, it is refused. */
  #once(call: StripeCall): Answer {
    const key = call.headers.get('Idempotency-Key');
    if (key === null || call.method === 'GET') return this.#do(call);
    const request = `${call.path}?${call.params.toString()}`;
    const kept = this.#answers.get(key);
    if (kept && kept.request !== request) {
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'other' } } };
    }
    const answer = kept?.answer ?? this.#do(call);
    this.#answers.set(key, { request, answer });
    return answer;
  }

  #do({ headers, method, path, params }: StripeCall): Answer {
    const key = headers.get('Idempotency-Key') ?? '';
    const id = path.split('/')[3] ?? '';
    switch (`${method} ${path.replace(id, id === '' ? '' : ':id')}`) {
      case 'POST /v1/payment_methods':
        return this.#makeMethod(params);
      case 'POST /v1/customers':
        return done({ id: this.#id('cus'), object: 'customer' });
      case 'POST /v1/setup_intents':
        return this.#setUp(params);
      case 'GET /v1/setup_intents/:id':
        return this.#setup(id) ? done(this.#setup(id) as Setup) : missing();
      case 'POST /v1/payment_intents':
        return this.#pay(params, key);
      case 'POST /v1/payment_intents/:id/capture':
        return this.#capture(id, params, key);
      case 'POST /v1/payment_intents/:id/cancel':
        return this.#cancel(id, key);
      case 'GET /v1/disputes/:id':
        return one(this.disputes, id);
      case 'GET /v1/payouts/:id':
        return one(this.payouts, id);
      case 'GET /v1/payouts':
        return this.#page(
          this.payouts.filter(({ created }) => created >= Number(params.get('created[gte]'))),
          params,
        );
      case 'GET /v1/balance_transactions':
        if (!this.payouts.find((it) => it.id === params.get('payout'))?.automatic)
          return notAutomatic();
        return this.#page(
          this.balance.filter(({ payout }) => payout === params.get('payout')),
          params,
        );
      case 'GET /v1/payment_intents/:id':
        return this.#intent(id) ? done(this.#intent(id) as Intent) : missing();
      case 'GET /v1/payment_intents':
        return list(this.intents.filter(({ customer }) => customer === params.get('customer')));
      case 'POST /v1/refunds':
        return this.#refund(params, key);
      case 'GET /v1/refunds':
        return list(
          this.refunds.filter((one) => one.payment_intent === params.get('payment_intent')),
        );
      default:
        return missing();
    }
  }

  #makeMethod(params: URLSearchParams): Answer {
    const id = this.#id('pm');
    this.#methods.set(id, params.get('card[number]') ?? '');
    return done({ id, object: 'payment_method' });
  }

  #setUp(params: URLSearchParams): Answer {
    const token = params.get('confirmation_token');
    if (token === confirmationTokens.declined) {
      const error = { type: 'card_error', code: 'card_declined', decline_code: 'lost_card' };
      return { status: 402, body: { error } };
    }
    const bank = token === confirmationTokens.bank;
    const method = params.get('payment_method') ?? this.#id('pm');
    const watched = token === confirmationTokens.watched;
    if (token !== null) {
      this.#methods.set(method, watched ? '4000002760003184' : '4242424242424242');
    }
    const setup: Setup = {
      id: this.#id('seti'),
      object: 'setup_intent',
      status: bank ? 'requires_action' : 'succeeded',
      customer: params.get('customer') ?? '',
      metadata: metadataOf(params),
      next_action: bank ? nextAction(params.get('use_stripe_sdk') !== 'false') : null,
      payment_method: {
        id: method,
        card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
        billing_details: { name: null },
      },
    };
    this.setups.push(setup);
    return done(setup);
  }

  #setup(id: string): Setup | undefined {
    return this.setups.find((setup) => setup.id === id);
  }

  #pay(params: URLSearchParams, key: string): Answer {
    const number = this.#methods.get(params.get('payment_method') ?? '') ?? '';
    const manual = params.get('capture_method') === 'manual';
    const code = declines[number];
    const amount = Number(params.get('amount'));
    const intent: Intent = {
      id: this.#id('pi'),
      object: 'payment_intent',
      status: manual ? 'requires_capture' : 'succeeded',
      amount,
      amount_received: manual ? 0 : amount,
      currency: params.get('currency') ?? '',
      customer: params.get('customer') ?? '',
      created: Math.floor(Date.now() / 1_000),
      metadata: metadataOf(params),
      last_payment_error: null,
      latest_charge: {
        payment_method_details: { card: { capture_before: now() + 7 * 86_400 } },
      },
    };
    this.intents.push(intent);
    if (code === undefined) {
      this.#did(manual ? 'authorization' : 'charge', key, amount, intent);
      return done(intent);
    }
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { code: 'card_declined', decline_code: code };
    const error = { type: 'card_error', code: 'card_declined', decline_code: code };
    return { status: 402, body: { error: { ...error, payment_intent: intent } } };
  }

  #capture(id: string, params: URLSearchParams, key: string): Answer {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_capture') return missing();
    intent.status = 'succeeded';
    intent.amount_received = Number(params.get('amount_to_capture'));
    this.#did('capture', key, intent.amount_received, intent);
    return done(intent);
  }

  #cancel(id: string, key: string): Answer {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_capture') return missing();
    intent.status = 'canceled';
    this.#did('release', key, intent.amount, intent);
    return done(intent);
  }

  #refund(params: URLSearchParams, key: string): Answer {
    const paymentIntent = params.get('payment_intent') ?? '';
    const amount = Number(params.get('amount'));
    const given = this.refunds
      .filter(({ payment_intent }) => payment_intent === paymentIntent)
      .reduce((sum, one) => sum + one.amount, 0);
    const intent = this.#intent(paymentIntent);
    if (!intent || given + amount > intent.amount_received) return missing();
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      status: 'succeeded',
      amount,
      payment_intent: paymentIntent,
      metadata: metadataOf(params),
    };
    this.refunds.push(refund);
    this.#did('refund', key, amount, intent, refund);
    return done(refund);
  }

  /** Writes down what was done, and what moved by it. */
  #did(
    kind: StripeEffect['kind'],
    idempotencyKey: string,
    amount: number,
    intent: Intent,
    refund?: Refund,
  ): void {
    const booking = intent.metadata['booking'] ?? '';
    this.effects.push({ kind, idempotencyKey, amount: amount / 100, booking });
    if (kind === 'charge' || kind === 'capture') {
      const charge = { id: this.#id('ch'), object: 'charge', payment_intent: intent.id };
      const secure = { payment_method_details: { card: { three_d_secure: null } } };
      const source = { ...charge, ...secure, metadata: intent.metadata };
      // A part of a hold is the whole of it, and what is given back of it.
      this.#move('charge', 'charge', intent.amount, feeOf(amount), source);
      const back = intent.amount - amount;
      if (back > 0) {
        const reversal = { id: this.#id('re'), object: 'refund', metadata: {} };
        const of = { ...reversal, payment_intent: intent.id };
        this.#move('refund', 'partial_capture_reversal', -back, 0, of);
      }
    }
    if (kind === 'refund' && refund) this.#move('refund', 'refund', -amount, 0, refund);
  }

  #move(
    type: string,
    category: string,
    amount: number,
    fee: number,
    source: object | null,
    payout: string | null = null,
  ): void {
    const created = now();
    const id = this.#id('txn');
    const money = { amount, fee, net: amount - fee, currency: 'aud' };
    const times = { created, available_on: created + 86_400, description: null };
    const kind = { object: 'balance_transaction', type, reporting_category: category } as const;
    this.balance.push({ id, ...kind, ...money, ...times, source, payout });
  }

  /** A page of a list, as Stripe cuts it: so many, after the one that is named. */
  #page(all: readonly { readonly id: string }[], params: URLSearchParams): Answer {
    const after = params.get('starting_after');
    const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const data = all.slice(from, from + this.pageSize);
    return done({
      object: 'list',
      data,
      has_more: from + data.length < all.length,
      url: '/v1/list',
    });
  }

  #intent(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  #id(prefix: string): string {
    ids += 1;
    // Sorted as they were made, as the tests expect of what comes in one second.
    return `${prefix}_${String(ids).padStart(8, '0')}`;
  }
}

/** What a bank's question looks like: a call for Stripe's script, unless it is told that nobody runs it. */
function nextAction(byScript: boolean): object {
  return byScript
    ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
    : { type: 'redirect_to_url', redirect_to_url: { url: BANK_URL } };
}

function notAutomatic(): Answer {
  const message =
    'Balance transaction history can only be filtered on automatic transfers, not manual.';
  return { status: 400, body: { error: { type: 'invalid_request_error', message } } };
}

/** Stripe's clock, in seconds. */
function now(): number {
  return Math.floor(Date.now() / 1_000);
}

function one(all: readonly { readonly id: string }[], id: string): Answer {
  const found = all.find((it) => it.id === id);
  return found ? done(found) : missing();
}

function metadataOf(params: URLSearchParams): Record<string, string> {
  const entries = [...params].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function done(body: object): Answer {
  return { status: 200, body: structuredClone(body) };
}

function list(data: readonly object[]): Answer {
  return done({ object: 'list', data, has_more: false });
}

function missing(): Answer {
  return { status: 404, body: { error: { type: 'invalid_request_error', code: 'missing' } } };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Request-Id': 'req_1' },
  });
}
