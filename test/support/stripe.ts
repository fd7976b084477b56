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
  readonly intents: Intent[] = [];
  readonly refunds: Refund[] = [];
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

  #do({ method, path, params }: StripeCall): Answer {
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
        return this.#pay(params);
      case 'POST /v1/payment_intents/:id/capture':
        return this.#capture(id, params);
      case 'POST /v1/payment_intents/:id/cancel':
        return this.#cancel(id);
      case 'GET /v1/payment_intents/:id':
        return this.#intent(id) ? done(this.#intent(id) as Intent) : missing();
      case 'GET /v1/payment_intents':
        return list(this.intents.filter(({ customer }) => customer === params.get('customer')));
      case 'POST /v1/refunds':
        return this.#refund(params);
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
      next_action: bank ? { redirect_to_url: { url: BANK_URL } } : null,
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

  #pay(params: URLSearchParams): Answer {
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
        payment_method_details: { card: { capture_before: Math.floor(Date.now() / 1_000) + 600 } },
      },
    };
    this.intents.push(intent);
    if (code === undefined) return done(intent);
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { code: 'card_declined', decline_code: code };
    const error = { type: 'card_error', code: 'card_declined', decline_code: code };
    return { status: 402, body: { error: { ...error, payment_intent: intent } } };
  }

  #capture(id: string, params: URLSearchParams): Answer {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_capture') return missing();
    intent.status = 'succeeded';
    intent.amount_received = Number(params.get('amount_to_capture'));
    return done(intent);
  }

  #cancel(id: string): Answer {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_capture') return missing();
    intent.status = 'canceled';
    return done(intent);
  }

  #refund(params: URLSearchParams): Answer {
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
    return done(refund);
  }

  #intent(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  #id(prefix: string): string {
    ids += 1;
    return `${prefix}_${ids}`;
  }
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
