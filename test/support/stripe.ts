/** Stripe's HTTP as far as the adapter speaks it, with an account's own memory and scripted faults. */

import { ASKS_GUEST } from './cards.ts';
import { STRIPE_MOST_TEXT, stripeFiles, stripeTexts } from './stripeEvidence.ts';
import { answered, listed } from './stripeLists.ts';
import {
  type Answer,
  type BalanceTransaction,
  type Charge,
  type Dispute,
  done,
  type Intent,
  type KeptFile,
  missing,
  type PaymentMethod,
  type Payout,
  type Refund,
  refused,
  type Setup,
} from './stripeObjects.ts';

/** What a request said. */
export interface StripeCall {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly headers: Headers;
  readonly params: URLSearchParams;
}

/** Whether a fault is meant for a request. */
type IsMeant = (call: StripeCall) => boolean;

/** How an answer goes wrong: after the request was carried out, or before. */
export type StripeFault =
  | 'hang after execution'
  | '500 without error'
  | '500 after execution'
  | '403 after execution'
  | 'malformed after execution'
  | '429'
  | '409 in progress'
  | 'reset before execution';

/** The card whose bank asks its holder at every payment. */

const declines: Readonly<Record<string, string>> = {
  '4000000000009995': 'insufficient_funds',
  '4000000000009987': 'lost_card',
  [ASKS_GUEST]: 'authentication_required',
};

/** Cards that their bank declines when they are set up, and those whose bank wants to see the holder then. */
const setupDeclines: Readonly<Record<string, string>> = {
  '4000000000000002': 'generic_decline',
  '4000000000009979': 'stolen_card',
};
const setupAsks: ReadonlySet<string> = new Set(['4000002500003155', ASKS_GUEST]);

/** Something that Stripe did, as the oracle of the fault tables reads it. */
interface StripeEffect {
  readonly kind: 'charge' | 'authorization' | 'capture' | 'release' | 'refund';
  readonly idempotencyKey: string;
  readonly amount: number;
  readonly booking: string;
}

/** What Stripe keeps of a charge: 1.75 % and 30 cents. */
const feeOf = (amount: number) => Math.round(amount * 0.0175) + 30;

/** What Stripe takes for a dispute itself. */
const DISPUTE_FEE = 2_500;

/** The account's own part of every statement, which comes before a suffix. */
const STATEMENT_PREFIX = 'GREATHOTEL';

const DAY = 86_400;

/** Confirmation tokens of the form in the page, by what becomes of their cards. */
export const confirmationTokens = {
  good: 'ctoken_good',
  /** Its bank wants to see the holder at every charge. */
  watched: 'ctoken_watched',
  declined: 'ctoken_declined',
  /** The holder's bank wants to see them first. */
  bank: 'ctoken_bank',
} as const;

/** Where the bank of a payment's guest is. */
export function bankUrlOf(payment: string): string {
  return `https://hooks.stripe.com/3d_secure_2/hosted?payment_intent=${payment}&payment_intent_client_secret=${payment}_secret_1`;
}

/** Where the guest's bank is. */
export const BANK_URL = 'https://hooks.stripe.com/redirect/authenticate/src_1';

/** Stripe never gives a name twice. */
let ids = 0;

export class FakeStripe {
  readonly calls: StripeCall[] = [];
  readonly setups: Setup[] = [];
  readonly effects: StripeEffect[] = [];
  readonly disputes: Dispute[] = [];
  readonly files: KeptFile[] = [];
  readonly payouts: Payout[] = [];
  readonly balance: BalanceTransaction[] = [];
  readonly intents: Intent[] = [];
  readonly charges: Charge[] = [];
  readonly refunds: Refund[] = [];
  /** The status that new refunds get. */
  refundStatus: 'succeeded' | 'pending' | 'requires_action' = 'succeeded';
  /** Whether Stripe lets the account place longer holds. */
  extendedHolds = true;
  /** Whether Stripe lets the account take mail and telephone orders: it does so only when it is asked. */
  phoneOrders = false;
  /** Whether Stripe offers the account its search: not everywhere. */
  search = true;
  /** Whether Stripe lets the account send card numbers. */
  rawNumbers = true;
  /** The most requests a second; more are answered with 429, and with `Retry-After` if `retryAfter` says so. */
  requestsPerSecond = Number.POSITIVE_INFINITY;
  retryAfter: string | null = null;
  /** What every card's bank says of a payment, besides what test cards say. */
  bankSays: object | null = null;
  readonly #arrivals: number[] = [];
  readonly #numbers = new Map<string, string>();
  readonly #methods: PaymentMethod[] = [];
  readonly #answers = new Map<string, { readonly request: string; readonly answer: Answer }>();
  readonly #customers = new Set<string>();
  /** Payment methods that can never be a customer's any more. */
  readonly #spent = new Set<string>();
  readonly #faults: { readonly fault: StripeFault | Answer; readonly isMeant: IsMeant }[] = [];

  /** An issuer renews a card: the network tells Stripe of its new expiry and digits. */
  renewCard(id: string, last4: string, exp_month: number, exp_year: number): void {
    const method = this.#methods.find((one) => one.id === id);
    if (!method) throw new Error(`there is no card ${id}`);
    Object.assign(method.card, { last4, exp_month, exp_year });
  }

  /** Lets the next requests that move money go wrong. */
  fail(...faults: StripeFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, isMeant: () => true })));
  }

  /** Lets the next request for a booking go wrong, whatever happens to others meanwhile. */
  failFor(reference: string, fault: StripeFault): void {
    const isMeant: IsMeant = ({ params }) => params.get('metadata[booking]') === reference;
    this.#faults.push({ fault, isMeant });
  }

  /** Lets the next posts to paths that end so go wrong. */
  failAt(ending: string, ...faults: StripeFault[]): void {
    const isMeant: IsMeant = ({ path }) => path.endsWith(ending);
    this.#faults.push(...faults.map((fault) => ({ fault, isMeant })));
  }

  /** Answers the next request that moves money with an error, before anything is done. */
  refuse(status: number, error: object, headers: Readonly<Record<string, string>> = {}): void {
    const fault = { ...refused(status, error), headers };
    this.#faults.push({ fault, isMeant: () => true });
  }

  /** What was done for a booking, in the oracle's words. */
  readonly ledger = (reference: string): StripeEffect[] =>
    this.effects.filter(({ booking }) => booking === reference);

  /**
   * A cardholder's bank disputes a payment, or thinks otherwise of it. The money goes when the dispute is more than an
   * inquiry, and comes back when it is won.
   */
  dispute(paymentId: string, status: string, dueBy: number | null = now() + 9 * DAY): string {
    const known = this.disputes.find(({ payment_intent: of }) => of === paymentId);
    const dispute = known ?? this.#newDispute(paymentId, status, dueBy);
    dispute.status = status;
    const held = dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0;
    const { amount, currency, id } = dispute;
    const inquiry = status.startsWith('warning_') || status === 'prevented';
    if (!held && !inquiry && status !== 'won') {
      dispute.balance_transactions.push(
        this.#move('adjustment', 'dispute', -amount, DISPUTE_FEE, id, currency),
      );
    }
    if (held && status === 'won') {
      dispute.balance_transactions.push(
        this.#move('adjustment', 'dispute_reversal', amount, 0, id, currency),
      );
    }
    return dispute.id;
  }

  /** The bank gives a part of what a dispute withdrew back, and the dispute counts as won. */
  reinstate(paymentId: string, amount: number): string {
    const dispute = this.disputes.find(({ payment_intent: of }) => of === paymentId);
    if (!dispute) throw new Error('no such dispute');
    const { currency, id } = dispute;
    dispute.status = 'won';
    dispute.balance_transactions.push(
      this.#move('adjustment', 'dispute_reversal', amount, 0, id, currency),
    );
    return id;
  }

  #newDispute(paymentId: string, status: string, dueBy: number | null): Dispute {
    const payment = this.#intent(paymentId);
    if (!payment) throw new Error('no such payment');
    const { amount_received: amount, currency, latest_charge: charge } = payment;
    const of = { charge, payment_intent: paymentId, metadata: {}, reason: 'fraudulent' };
    const dispute: Dispute = {
      ...of,
      id: this.#id('dp'),
      object: 'dispute',
      amount,
      currency,
      created: now(),
      status,
      balance_transactions: [],
      evidence: {},
      evidence_details: { due_by: dueBy, has_evidence: false, submission_count: 0 },
    };
    this.disputes.push(dispute);
    return dispute;
  }

  /** A refund that was made fails after all, and its money comes back. */
  failRefund(id: string): void {
    const refund = this.refunds.find((one) => one.id === id);
    if (!refund) return;
    const { amount, charge, currency } = refund;
    const back = this.#move('refund_failure', 'refund_failure', amount, 0, id, currency);
    refund.status = 'failed';
    refund.failure_reason = 'lost_or_stolen_card';
    refund.failure_balance_transaction = back.id;
    const of = this.#charge(charge);
    if (of) of.amount_refunded -= amount;
  }

  /** Somebody captures a hold in Stripe's dashboard. */
  captureInDashboard(id: string, amount?: number): void {
    const intent = this.#intent(id);
    if (intent) this.#take(intent, amount ?? intent.amount_capturable, '');
  }

  /** Somebody lets a hold go in Stripe's dashboard. */
  cancelInDashboard(id: string): void {
    const intent = this.#intent(id);
    if (intent) this.#letGo(intent, '');
  }

  /** Somebody gives money back in Stripe's dashboard: such a refund has no metadata. */
  refundInDashboard(id: string, amount?: number): Refund {
    const intent = this.#intent(id);
    const charge = this.#charge(intent?.latest_charge ?? null);
    if (!intent || !charge) throw new Error('no such payment');
    const left = charge.amount_captured - this.#refunded(id);
    return this.#giveBack(intent, charge, amount ?? left, {}, '');
  }

  /** Somebody charges a card in Stripe's dashboard: nothing of this service is written there. */
  chargeInDashboard(amount: number, currency = 'aud'): string {
    const params = new URLSearchParams({ amount: String(amount), currency });
    const { id } = this.#newIntent(params, '');
    return id;
  }

  /** Pays out everything that was not paid out yet, and what it costs. */
  payOut(status = 'in_transit'): Payout {
    const id = this.#id('po');
    const items = this.balance.filter(({ payout }) => payout === null);
    for (const item of items) item.payout = id;
    const amount = items.reduce((sum, { net }) => sum + net, 0);
    const created = now();
    const times = { created, arrival_date: created + DAY, description: null };
    const kind = { object: 'payout', statement_descriptor: null } as const;
    const told = { automatic: true, reconciliation_status: 'completed' as const };
    const payout = { id, ...kind, status, amount, currency: 'aud', ...times, ...told };
    this.payouts.push(payout);
    this.#move('payout', 'payout', -amount, 0, id, 'aud', id);
    return payout;
  }

  /** The money of a payout that failed is to be paid out again. */
  comeBack(payout: Payout): void {
    this.#move('payout_failure', 'payout_reversal', payout.amount, 0, payout.id, 'aud');
  }

  /** A cardholder's bank takes the money of a payment back. */
  withdraw(paymentId: string): void {
    this.dispute(paymentId, 'lost');
  }

  /** Money that moved besides, such as Stripe's own fee. */
  adjust(amount: number): void {
    this.#move('stripe_fee', 'fee', amount, 0, null, 'aud');
  }

  /** The holder of a card was at their bank, and said that it is them. */
  confirmSetup(id: string): void {
    const setup = this.setups.find((one) => one.id === id);
    const method = this.#methods.find((one) => one.id === setup?.payment_method);
    if (!setup || !method) return;
    setup.status = 'succeeded';
    method.customer = setup.customer;
  }

  /** Plays `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    // Messages to PMSs go out beside.
    if (!url.pathname.startsWith('/v1/')) return new Response(null, { status: 404 });
    const call: StripeCall = {
      method: request.method,
      host: url.hostname,
      path: url.pathname,
      headers: request.headers,
      params: request.method === 'GET' ? url.searchParams : await paramsOf(request),
    };
    this.calls.push(call);
    if (this.#tooMany()) return this.#rateLimited();
    const fault = call.method === 'POST' ? this.#nextFault(call) : undefined;
    return this.#answer(call, fault, init?.signal ?? null);
  };

  /** Whether this request exceeds what the account may ask in a second. */
  #tooMany(): boolean {
    const at = Date.now();
    this.#arrivals.push(at);
    const lately = this.#arrivals.filter((arrival) => arrival > at - 1_000);
    return lately.length > this.requestsPerSecond;
  }

  #rateLimited(): Response {
    const { body } = refused(429, { code: 'rate_limit', message: 'Too many requests' });
    return json(429, body, this.retryAfter === null ? {} : { 'Retry-After': this.retryAfter });
  }

  #nextFault(call: StripeCall): StripeFault | Answer | undefined {
    const at = this.#faults.findIndex(({ isMeant }) => isMeant(call));
    return at === -1 ? undefined : this.#faults.splice(at, 1)[0]?.fault;
  }

  async #answer(
    call: StripeCall,
    fault: StripeFault | Answer | undefined,
    signal: AbortSignal | null,
  ): Promise<Response> {
    if (typeof fault === 'object') return json(fault.status, fault.body, fault.headers);
    switch (fault) {
      case '429':
        return this.#rateLimited();
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
      case '403 after execution':
        return json(403, { error: { type: 'invalid_request_error', message: 'no right to read' } });
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

  #do({ headers, host, method, path, params }: StripeCall): Answer {
    const key = headers.get('Idempotency-Key') ?? '';
    const id = path.split('/')[3] ?? '';
    if (path === '/v1/payment_intents/search') return this.#search(params);
    switch (`${method} ${path.replace(id, id === '' ? '' : ':id')}`) {
      case 'POST /v1/payment_methods':
        return this.#makeMethod(params);
      case 'POST /v1/payment_methods/:id/attach':
        return this.#attach(id, params);
      case 'POST /v1/customers':
        return done({ id: this.#newCustomer(), object: 'customer' });
      case 'POST /v1/setup_intents':
        return this.#setUp(params);
      case 'POST /v1/payment_intents':
        return this.#pay(params, key);
      case 'POST /v1/payment_intents/:id/capture':
        return this.#capture(id, params, key);
      case 'POST /v1/payment_intents/:id/cancel':
        return this.#cancel(id, params, key);
      case 'POST /v1/refunds':
        return this.#refund(params, key);
      case 'POST /v1/payment_methods/:id/detach':
        return this.#detached(id);
      case 'GET /v1/payment_methods/:id':
        return this.#one(this.#methods, id, params);
      case 'GET /v1/setup_intents/:id':
        return this.#one(this.setups, id, params);
      case 'POST /v1/files':
        // The API's own host takes no files.
        return host === 'api.stripe.com' ? missing() : this.#keepFile(params);
      case 'POST /v1/disputes/:id':
        return this.#answerDispute(id, params);
      case 'POST /v1/disputes/:id/close':
        return this.#closeDispute(id, params);
      case 'GET /v1/disputes/:id':
        return this.#one(this.disputes, id, params);
      case 'GET /v1/payouts/:id':
        return this.#one(this.payouts, id, params);
      case 'GET /v1/payment_intents/:id':
        return this.#one(this.intents, id, params);
      case 'GET /v1/disputes':
        return listed(these(this.disputes, 'payment_intent', params), params, this.#find);
      case 'GET /v1/payouts':
        return listed(this.payouts, params, this.#find);
      case 'GET /v1/balance_transactions':
        return this.#listBalance(params);
      case 'GET /v1/payment_intents':
        return listed(these(this.intents, 'customer', params), params, this.#find);
      case 'GET /v1/refunds':
        return listed(these(this.refunds, 'payment_intent', params), params, this.#find);
      default:
        return missing();
    }
  }

  /** Keeps evidence, and passes it on to the bank if the request says so. Stripe knows its fields, and takes it once. */
  #answerDispute(id: string, params: URLSearchParams): Answer {
    const dispute = this.disputes.find((one) => one.id === id);
    if (!dispute) return missing();
    if (!isToAnswer(dispute)) return refused(400, { message: 'This dispute is already closed.' });
    const evidence = evidenceOf(params);
    const fault = Object.entries(evidence).flatMap(([field, value]) => {
      const code = this.#evidenceFault(field, value);
      return code === null ? [] : [{ code, param: `evidence[${field}]` }];
    })[0];
    if (fault) return refused(400, fault);
    const length = Object.values(evidence).reduce((sum, text) => sum + text.length, 0);
    if (length > STRIPE_MOST_TEXT) return refused(400, { param: 'evidence' });
    Object.assign(dispute.evidence, evidence);
    const details = dispute.evidence_details;
    details.has_evidence = true;
    if (params.get('submit') === 'true') {
      details.submission_count += 1;
      dispute.status = dispute.status.replace('needs_response', 'under_review');
    }
    return answered(dispute, params, this.#find);
  }

  /** What is wrong with a field of evidence; null for nothing. */
  #evidenceFault(field: string, value: string): string | null {
    if (stripeFiles.has(field)) {
      return this.files.some(({ id }) => id === value) ? null : 'resource_missing';
    }
    const most = stripeTexts.get(field);
    if (most === undefined) return 'parameter_unknown';
    return value.length > most ? 'string_too_long' : null;
  }

  /** Keeps a file for evidence: a PDF or a picture of at most 5 MB. */
  #keepFile(params: URLSearchParams): Answer {
    const content = params.get('file') ?? '';
    const type = content.startsWith('%PDF-') ? 'pdf' : null;
    if (params.get('purpose') !== 'dispute_evidence' || type === null) {
      return refused(400, { param: 'file', message: 'Invalid file.' });
    }
    const size = content.length;
    if (size > 5_000_000) return refused(400, { code: 'file_size_exceeded', param: 'file' });
    ids += 1;
    const file: KeptFile = {
      id: `file_${ids}`,
      object: 'file',
      created: now(),
      expires_at: null,
      filename: 'evidence.pdf',
      purpose: 'dispute_evidence',
      size,
      type,
    };
    this.files.push(file);
    return done(file);
  }

  /** The account gives a dispute up. */
  #closeDispute(id: string, params: URLSearchParams): Answer {
    const dispute = this.disputes.find((one) => one.id === id);
    if (!dispute) return missing();
    if (dispute.status !== 'needs_response') {
      return refused(400, { message: 'This dispute is already closed.' });
    }
    dispute.status = 'lost';
    return answered(dispute, params, this.#find);
  }

  /** Searches payments by one of their metadata and their status. */
  #search(params: URLSearchParams): Answer {
    if (!this.search) {
      return refused(400, { message: 'Search is not available for merchants in your country.' });
    }
    const asked = /^metadata\['(\w+)'\]:'(\w+)' AND status:'(\w+)'$/.exec(
      params.get('query') ?? '',
    );
    if (!asked) return refused(400, { param: 'query', message: 'Cannot parse the query.' });
    const [, name = '', value, status] = asked;
    const data = this.intents.filter(
      (one) => one.metadata[name] === value && one.status === status,
    );
    const page = { data: data.slice(0, Number(params.get('limit') ?? 10)), next_page: null };
    const body = { object: 'search_result', url: '/v1/payment_intents/search', has_more: false };
    return answered({ ...body, ...page }, params, this.#find);
  }

  #one(all: readonly { readonly id: string }[], id: string, params: URLSearchParams): Answer {
    const found = all.find((it) => it.id === id);
    return found ? answered(found, params, this.#find) : missing();
  }

  /** Everything that a request can expand. */
  readonly #find = (id: string): object | undefined =>
    [
      this.intents,
      this.charges,
      this.refunds,
      this.disputes,
      this.payouts,
      this.balance,
      this.#methods,
    ]
      .flat()
      .find((one) => one.id === id);

  #listBalance(params: URLSearchParams): Answer {
    const payout = params.get('payout');
    if (payout !== null && !this.payouts.find((it) => it.id === payout)?.automatic) {
      const message =
        'Balance transaction history can only be filtered on automatic transfers, not manual.';
      return refused(400, { message });
    }
    return listed(these(this.balance, 'payout', params), params, this.#find);
  }

  #makeMethod(params: URLSearchParams): Answer {
    const number = params.get('card[number]') ?? '';
    if (!this.rawNumbers) {
      const message = `Sending credit card numbers directly to the Stripe API is generally unsafe. You sent ${number}.`;
      return refused(402, { param: 'card[number]', message });
    }
    return done(this.#newMethod(number, params.get('billing_details[name]')));
  }

  #newMethod(number: string, name: string | null = null): PaymentMethod {
    const seen = { brand: 'visa', last4: number.slice(-4), exp_month: 12, exp_year: 2030 };
    const method: PaymentMethod = {
      id: this.#id('pm'),
      object: 'payment_method',
      card: { ...seen, funding: 'credit', country: 'US' },
      billing_details: { name },
      customer: null,
    };
    this.#numbers.set(method.id, number);
    this.#methods.push(method);
    return method;
  }

  #newCustomer(): string {
    const id = this.#id('cus');
    this.#customers.add(id);
    return id;
  }

  /** A card of an engine's own checkout, which saved it for a customer or not. Returns the payment method's id. */
  cardAtCheckout(number: string, isSaved: boolean): string {
    const method = this.#newMethod(number);
    if (isSaved) method.customer = this.#newCustomer();
    return method.id;
  }

  /** A setup of an engine's own checkout, for a payment method and the customer that has it. Returns its id. */
  setupAtCheckout(id: string, changes: Partial<Setup> = {}): string {
    const customer = this.#methods.find((one) => one.id === id)?.customer ?? null;
    const setup = { ...this.#newSetup(id, customer), ...changes };
    this.setups.push(setup);
    return setup.id;
  }

  /** An engine detaches a card from its customer. */
  detach(id: string): void {
    const method = this.#methods.find((one) => one.id === id);
    if (!method) throw new Error(`there is no card ${id}`);
    method.customer = null;
    this.#spent.add(id);
  }

  #detached(id: string): Answer {
    const method = this.#methods.find((one) => one.id === id);
    if (!method) return missing();
    if (method.customer === null) {
      return refused(400, { message: 'The payment method you provided is not attached.' });
    }
    this.detach(id);
    return done(method);
  }

  #attach(id: string, params: URLSearchParams): Answer {
    const method = this.#methods.find((one) => one.id === id);
    if (!method) return missing();
    const code = setupDeclines[this.#numbers.get(id) ?? ''];
    if (code !== undefined) return declined({ decline_code: code });
    if (method.customer !== null) {
      const message = 'The payment method you provided has already been attached to a customer.';
      return refused(400, { message });
    }
    const refusal = this.#notKept(method, params.get('customer'));
    if (refusal !== null) return refusal;
    method.customer = params.get('customer');
    return answered(method, params, this.#find);
  }

  /** Why a payment method cannot be a customer's; null if it can, or is. */
  #notKept({ customer, id }: PaymentMethod, wanted: string | null): Answer | null {
    if (wanted === null || !this.#customers.has(wanted)) {
      const message = `No such customer: '${wanted}'`;
      return refused(400, { code: 'resource_missing', param: 'customer', message });
    }
    if (customer !== null && customer !== wanted) {
      const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
      return refused(400, { param: 'payment_method', message });
    }
    if (!this.#spent.has(id)) return null;
    const message =
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.';
    return refused(400, { message });
  }

  #setUp(params: URLSearchParams): Answer {
    const token = params.get('confirmation_token');
    const watched = token === confirmationTokens.watched;
    const made = watched ? ASKS_GUEST : '4242424242424242';
    if (isMoto(params) && !this.phoneOrders) return notForPhoneOrders();
    const named = params.get('payment_method') ?? this.#newMethod(made).id;
    const method = this.#methods.find(({ id }) => id === named);
    if (!method) return missing();
    const refusal = this.#notKept(method, params.get('customer'));
    if (refusal !== null) return refusal;
    const number = this.#numbers.get(named) ?? '';
    const code = token === confirmationTokens.declined ? 'lost_card' : setupDeclines[number];
    if (code !== undefined) return declined({ decline_code: code });
    const asks = token === null && setupAsks.has(number) && !isMoto(params);
    const bank = token === confirmationTokens.bank || asks;
    const setup: Setup = {
      ...this.#newSetup(named, params.get('customer')),
      status: bank ? 'requires_action' : 'succeeded',
      usage: params.get('usage') ?? 'off_session',
      metadata: metadataOf(params),
      next_action: bank ? nextAction(params.get('use_stripe_sdk') !== 'false') : null,
    };
    if (!bank) method.customer = setup.customer;
    this.setups.push(setup);
    return answered(setup, params, this.#find);
  }

  #newSetup(method: string, customer: string | null): Setup {
    return {
      id: this.#id('seti'),
      object: 'setup_intent',
      status: 'succeeded',
      created: now(),
      customer,
      usage: 'off_session',
      metadata: {},
      next_action: null,
      last_setup_error: null,
      payment_method: method,
    };
  }

  #pay(params: URLSearchParams, key: string): Answer {
    const wrong = this.#wrongWith(params);
    if (wrong !== null) return wrong;
    const number = this.#numbers.get(params.get('payment_method') ?? '') ?? '';
    const isThere = !params.has('off_session') && !params.has('error_on_requires_action');
    if (number === ASKS_GUEST && isThere) {
      return answered(this.#newOpenIntent(params), params, this.#find);
    }
    const code = declines[number];
    const error = this.bankSays ?? (code === undefined ? null : { decline_code: code });
    if (error === null) return answered(this.#newIntent(params, key), params, this.#find);
    const intent = this.#newIntent(params, key, { code: 'card_declined', ...error });
    return declined({ ...error, payment_intent: intent });
  }

  /** What Stripe refuses of a payment before it asks the bank. */
  #wrongWith(params: URLSearchParams): Answer | null {
    const suffix = params.get('statement_descriptor_suffix');
    if (suffix !== null && !isStatementSuffix(suffix)) {
      const message = 'The statement descriptor suffix is not valid.';
      return refused(400, { param: 'statement_descriptor_suffix', message });
    }
    const method = this.#methods.find(({ id }) => id === params.get('payment_method'));
    if (!method) return refused(400, { code: 'resource_missing', param: 'payment_method' });
    const refusal = this.#notKept(method, params.get('customer'));
    if (refusal !== null) return refusal;
    if (isMoto(params) && !this.phoneOrders) return notForPhoneOrders();
    if (longerHold(params) && !this.extendedHolds) {
      const message =
        'This account is not eligible for the requested card features. See https://stripe.com/docs/payments/flexible-payments for more details.';
      return refused(400, { message });
    }
    return null;
  }

  /** A payment that waits for its holder at their bank. */
  #newOpenIntent(params: URLSearchParams): Intent {
    const intent = this.#bareIntent(params, 'requires_action');
    const url = bankUrlOf(intent.id);
    const redirect = { url, return_url: params.get('return_url') };
    intent.next_action = { type: 'redirect_to_url', redirect_to_url: redirect };
    return intent;
  }

  /** The holder confirms a payment at their bank; it is taken before they are sent back. */
  confirmAtBank(id: string): void {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_action') return;
    intent.next_action = null;
    intent.latest_charge = this.#newCharge(intent, null, false).id;
    this.#take(intent, intent.amount, intent.metadata['key'] ?? '', 'charge');
  }

  /** The holder refuses a payment at their bank, or is not recognised. */
  refuseAtBank(id: string): void {
    const intent = this.#intent(id);
    if (intent?.status !== 'requires_action') return;
    intent.status = 'requires_payment_method';
    intent.next_action = null;
    const code = 'payment_intent_authentication_failure';
    intent.last_payment_error = { type: 'invalid_request_error', code, message: 'Not verified.' };
  }

  /** A payment, taken or held unless `failed` says why not. */
  #newIntent(params: URLSearchParams, key: string, failed: object | null = null): Intent {
    const amount = Number(params.get('amount'));
    const manual = params.get('capture_method') === 'manual';
    const intent = this.#bareIntent(
      params,
      failed === null ? 'requires_capture' : 'requires_payment_method',
    );
    intent.amount_capturable = failed === null ? amount : 0;
    intent.last_payment_error = failed;
    const days = longerHold(params) ? 30 : 7;
    intent.latest_charge = this.#newCharge(intent, manual ? days : null, failed !== null).id;
    if (failed !== null) return intent;
    if (manual) this.#did('authorization', key, amount, intent);
    else this.#take(intent, amount, key, 'charge');
    return intent;
  }

  /** A payment without a charge. */
  #bareIntent(params: URLSearchParams, status: string): Intent {
    const intent: Intent = {
      id: this.#id('pi'),
      object: 'payment_intent',
      status,
      amount: Number(params.get('amount')),
      amount_capturable: 0,
      amount_received: 0,
      currency: params.get('currency') ?? '',
      customer: params.get('customer') ?? '',
      payment_method: params.get('payment_method'),
      created: now(),
      canceled_at: null,
      cancellation_reason: null,
      capture_method: params.get('capture_method') ?? 'automatic',
      next_action: null,
      description: params.get('description'),
      statement_descriptor_suffix: params.get('statement_descriptor_suffix'),
      metadata: metadataOf(params),
      last_payment_error: null,
      latest_charge: null,
    };
    this.intents.push(intent);
    return intent;
  }

  #newCharge(intent: Intent, holdDays: number | null, failed: boolean): Charge {
    const { amount, currency, created, id, metadata } = intent;
    const lapses = holdDays === null ? {} : { capture_before: created + holdDays * DAY };
    const charge: Charge = {
      id: this.#id('ch'),
      object: 'charge',
      amount,
      amount_captured: 0,
      amount_refunded: 0,
      captured: false,
      currency,
      created,
      status: failed ? 'failed' : 'succeeded',
      payment_intent: id,
      metadata: { ...metadata },
      payment_method_details: { card: { three_d_secure: null, ...lapses } },
      balance_transaction: null,
    };
    this.charges.push(charge);
    return charge;
  }

  /** Takes a hold or a part of it; a part is the whole of it, and what is given back of it. */
  #take(intent: Intent, amount: number, key: string, kind: 'charge' | 'capture' = 'capture'): void {
    const charge = this.#charge(intent.latest_charge);
    if (!charge) throw new Error('no charge');
    intent.status = 'succeeded';
    intent.amount_received = amount;
    intent.amount_capturable = 0;
    charge.captured = true;
    charge.amount_captured = amount;
    const { currency } = intent;
    const moved = this.#move('charge', 'charge', intent.amount, feeOf(amount), charge.id, currency);
    charge.balance_transaction = moved.id;
    const back = intent.amount - amount;
    if (back > 0) {
      const reversal = this.#newRefund(intent, charge, back, {}, 'succeeded');
      const category = 'partial_capture_reversal';
      reversal.balance_transaction = this.#move(
        'refund',
        category,
        -back,
        0,
        reversal.id,
        currency,
      ).id;
    }
    this.#did(kind, key, amount, intent);
  }

  #capture(id: string, params: URLSearchParams, key: string): Answer {
    const intent = this.#intent(id);
    if (!intent) return missing();
    if (intent.status !== 'requires_capture') return unexpectedState();
    intent.metadata = { ...intent.metadata, ...metadataOf(params) };
    this.#take(intent, Number(params.get('amount_to_capture')), key);
    return answered(intent, params, this.#find);
  }

  #cancel(id: string, params: URLSearchParams, key: string): Answer {
    const intent = this.#intent(id);
    if (!intent) return missing();
    if (!['requires_capture', 'requires_action'].includes(intent.status)) return unexpectedState();
    intent.cancellation_reason = params.get('cancellation_reason');
    if (intent.status === 'requires_capture') this.#letGo(intent, key);
    intent.status = 'canceled';
    intent.next_action = null;
    intent.canceled_at = now();
    return answered(intent, params, this.#find);
  }

  #letGo(intent: Intent, key: string): void {
    intent.status = 'canceled';
    intent.amount_capturable = 0;
    intent.canceled_at = now();
    this.#did('release', key, intent.amount, intent);
  }

  #refund(params: URLSearchParams, key: string): Answer {
    const id = params.get('payment_intent') ?? '';
    const amount = Number(params.get('amount'));
    const intent = this.#intent(id);
    const charge = this.#charge(intent?.latest_charge ?? null);
    if (!intent || !charge) return missing();
    if (this.#isWithdrawn(id))
      return refused(400, { code: 'charge_disputed', message: 'Disputed' });
    if (this.#refunded(id) + amount > intent.amount_received) {
      const message = 'Refund amount is greater than unrefunded amount on charge';
      return refused(400, { param: 'amount', message });
    }
    const refund = this.#giveBack(intent, charge, amount, metadataOf(params), key);
    return answered(refund, params, this.#find);
  }

  /** Whether the funds of a payment are withdrawn for a dispute. */
  #isWithdrawn(id: string): boolean {
    return this.disputes
      .filter(({ payment_intent: of }) => of === id)
      .some((one) => one.balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0);
  }

  /** What was given back of a payment after it was taken. */
  #refunded(id: string): number {
    return this.refunds
      .filter((one) => one.payment_intent === id && one.status !== 'failed')
      .filter((one) => !this.#isReversal(one))
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #isReversal({ balance_transaction: id }: Refund): boolean {
    const moved = this.balance.find((one) => one.id === id);
    return moved?.reporting_category === 'partial_capture_reversal';
  }

  #giveBack(
    intent: Intent,
    charge: Charge,
    amount: number,
    metadata: Record<string, string>,
    key: string,
  ): Refund {
    const refund = this.#newRefund(intent, charge, amount, metadata, this.refundStatus);
    const { currency } = intent;
    const moved = this.#move('refund', 'refund', -amount, 0, refund.id, currency);
    refund.balance_transaction = moved.id;
    charge.amount_refunded += amount;
    this.#did('refund', key, amount, intent);
    return refund;
  }

  #newRefund(
    intent: Intent,
    charge: Charge,
    amount: number,
    metadata: Record<string, string>,
    status: string,
  ): Refund {
    const refund: Refund = {
      id: this.#id('re'),
      object: 'refund',
      status,
      amount,
      currency: intent.currency,
      created: now(),
      charge: charge.id,
      payment_intent: intent.id,
      metadata,
      balance_transaction: null,
    };
    this.refunds.push(refund);
    return refund;
  }

  /** Writes down what was done. */
  #did(kind: StripeEffect['kind'], idempotencyKey: string, amount: number, intent: Intent): void {
    const booking = intent.metadata['booking'] ?? '';
    this.effects.push({ kind, idempotencyKey, amount: amount / 100, booking });
  }

  #move(
    type: string,
    category: string,
    amount: number,
    fee: number,
    source: string | null,
    currency: string,
    payout: string | null = null,
  ): BalanceTransaction {
    const created = now();
    const kind = { object: 'balance_transaction', type, reporting_category: category } as const;
    const times = { created, available_on: created + DAY, description: null };
    const money = { amount, fee, net: amount - fee, currency };
    const moved = { id: this.#id('txn'), ...kind, ...money, ...times, source, payout };
    this.balance.push(moved);
    return moved;
  }

  #intent(id: string): Intent | undefined {
    return this.intents.find((intent) => intent.id === id);
  }

  #charge(id: string | null): Charge | undefined {
    return this.charges.find((charge) => charge.id === id);
  }

  #id(prefix: string): string {
    ids += 1;
    // Sorted as they were made, as the tests expect of what comes in one second.
    return `${prefix}_${String(ids).padStart(8, '0')}`;
  }
}

/**
 * Whether Stripe takes a suffix: Latin letters, of which it has one, none of `< > \ ' " *`, and together with the
 * prefix, an asterisk and a space at most 22 characters.
 */
function isStatementSuffix(suffix: string): boolean {
  const whole = `${STATEMENT_PREFIX}* ${suffix}`;
  return whole.length <= 22 && /^[ -~]*[A-Za-z][ -~]*$/.test(suffix) && !/[<>\\'"*]/.test(suffix);
}

function isMoto(params: URLSearchParams): boolean {
  return params.get('payment_method_options[card][moto]') === 'true';
}

function notForPhoneOrders(): Answer {
  const message = 'Your account is not approved to use MOTO. Please contact support.';
  return refused(400, { param: 'payment_method_options[card][moto]', message });
}

function longerHold(params: URLSearchParams): boolean {
  return params.has('payment_method_options[card][request_extended_authorization]');
}

/** What a bank's question looks like: a call for Stripe's script, unless it is told that nobody runs it. */
function nextAction(byScript: boolean): object {
  return byScript
    ? { type: 'use_stripe_sdk', use_stripe_sdk: {} }
    : { type: 'redirect_to_url', redirect_to_url: { url: BANK_URL } };
}

function declined(error: object): Answer {
  return refused(402, {
    type: 'card_error',
    code: 'card_declined',
    message: 'Declined.',
    ...error,
  });
}

function unexpectedState(): Answer {
  return refused(400, { code: 'payment_intent_unexpected_state', message: 'No longer.' });
}

/** Stripe's clock, in seconds. */
function now(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Those of a list that have what the request asks for, if it asks. */
function these<K extends string, T extends { readonly [name in K]: string | null }>(
  all: readonly T[],
  name: K,
  params: URLSearchParams,
): T[] {
  const wanted = params.get(name);
  return all.filter((one) => wanted === null || one[name] === wanted);
}

/** What a request says, of a form or of one with a file: then by the file's content. */
async function paramsOf(request: Request): Promise<URLSearchParams> {
  const isForm = !request.headers.get('Content-Type')?.startsWith('multipart/');
  // Workerd prints a warning for each `text()` of a form.
  if (isForm) return new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));
  const params = new URLSearchParams();
  for (const [name, value] of await request.formData()) {
    params.append(name, typeof value === 'string' ? value : await value.text());
  }
  return params;
}

function isToAnswer({ status }: Dispute): boolean {
  return status.endsWith('needs_response');
}

function evidenceOf(params: URLSearchParams): Record<string, string> {
  const entries = [...params].flatMap(([name, value]) => {
    const field = /^evidence\[(\w+)\]$/.exec(name)?.[1];
    return field === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(entries);
}

function metadataOf(params: URLSearchParams): Record<string, string> {
  const entries = [...params].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function json(status: number, body: object, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Request-Id': 'req_1', ...more },
  });
}
