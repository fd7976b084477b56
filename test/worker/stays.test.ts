/**
 * Random stays on the real Worker: a plan that follows them, payments, refunds, disputes, cards that fail, virtual cards
 * that charge by themselves, cancellations by their quote. After each command the service must say what `stay.ts` works out.
 */
import { describe, expect, inject, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import type { PlanSpec, PlanTerm } from '../../src/schema/planSpec.ts';
import { call, callAsAdmin, ledgerOf, makeProperty, testEnv } from '../support/api.ts';
import { applied, cancellationOf } from '../support/cancellation.ts';
import { DECLINED, GOOD, LOST_CARD, OTHER_GOOD } from '../support/cards.ts';
import { drawing } from '../support/drawing.ts';
import { isLong } from '../support/long.ts';
import { seed as sampleSeed } from '../support/seed.ts';
import {
  type ChargedCard,
  dueOf,
  JudgedPlan,
  judgeCancellation,
  type Keep,
  type Known,
  keptOf,
  leftOf,
  paidOf,
  unattendedOf,
} from '../support/stay.ts';
import { story } from '../support/story.ts';

story({ silent: ['pms', 'mails'] });

const PLACES = [
  { currency: 'EUR', zone: 'Europe/Berlin', exponent: 2 },
  { currency: 'USD', zone: 'America/New_York', exponent: 2 },
  { currency: 'KWD', zone: 'Australia/Lord_Howe', exponent: 3 },
  { currency: 'JPY', zone: 'Asia/Tokyo', exponent: 0 },
] as const;

/** What vitest.config.ts takes from the environment; empty where it names nothing. */
const { MODEL_SEED, MODEL_COMMANDS } = testEnv as typeof testEnv & {
  readonly MODEL_SEED?: string;
  readonly MODEL_COMMANDS?: string;
};

/** How many commands a story has. */
const LENGTH = 25;
const COMMANDS = Number(MODEL_COMMANDS) || (isLong ? 2 * LENGTH : LENGTH);
/** The seeds of runs that draw the same each time. */
const SETTLED_SEEDS = isLong ? [7, 11] : [7];
const DRAWN_SEEDS = inject('sample') ? [sampleSeed] : SETTLED_SEEDS;
const SEEDS = MODEL_SEED ? [Number(MODEL_SEED)] : DRAWN_SEEDS;

type Place = (typeof PLACES)[number];

interface VirtualCard {
  readonly token: string;
  readonly fromMs: number;
}

/** One booking, and what must be true of it. */
class StayStory {
  readonly #reference: string;
  readonly #options: { readonly token: string };
  readonly #property: string;
  readonly #place: Place;
  readonly #draw: (below: number) => number;
  readonly did: string[] = [];
  #keep: Keep = { nothing: true };
  #plan: JudgedPlan | null = null;
  #card: 'pays' | 'declines' | 'none' = 'none';
  /** The virtual card that the booking uses, if it does; and the limits of all that it ever had, by their tokens. */
  #virtual: VirtualCard | null = null;
  readonly #limits = new Map<string, number>();
  #known!: Known;

  private constructor(
    property: string,
    place: Place,
    token: string,
    draw: (below: number) => number,
  ) {
    this.#reference = `B-${property}`;
    this.#property = property;
    this.#place = place;
    this.#options = { token };
    this.#draw = draw;
  }

  static async begin(property: string, place: Place, draw: (below: number) => number) {
    const { currency, zone: timeZone } = place;
    const token = await makeProperty(property, { currency, timeZone });
    const story = new StayStory(property, place, token, draw);
    const nowMs = Date.now() + DAY_MS;
    await callAsAdmin('/sandbox/v1/clock/advance', { property, to: new Date(nowMs).toISOString() });
    const stay = { arrival: '', departure: '', total: 0, firstNight: 0 };
    story.#known = {
      ...story.#still(),
      stay,
      knownTotal: 0,
      nowMs,
      payments: [],
      withdrawn: new Map(),
    };
    await story.#save();
    await story.#attach();
    return story;
  }

  /** Does one thing, lets a moment pass, and tells what is not as it must be. */
  async step(): Promise<string[]> {
    const commands = [
      () => this.#save(),
      () => this.#put(),
      () => this.#put(),
      () => this.#cancelPlan(),
      () => this.#pay(),
      () => this.#refund(),
      () => this.#dispute(),
      () => this.#attach(),
      () => this.#attach(),
      () => this.#attachVirtual(),
      () => this.#hold(),
      () => this.#cancel(),
      ...Array.from({ length: 9 }, () => () => this.#pass()),
    ];
    const wrong = await (commands[this.#draw(commands.length)] ?? commands[0])?.();
    return [...(wrong ?? []), ...(await this.#judge())];
  }

  #still() {
    const { exponent, zone } = this.#place;
    const minor = (decimal: number) => Math.round(decimal * 10 ** exponent);
    return { minor, zone };
  }

  #decimal(minor: number): number {
    return Number((minor / 10 ** this.#place.exponent).toFixed(this.#place.exponent));
  }

  #amount(most: number): number {
    return 1 + this.#draw(most);
  }

  #day(days: number): string {
    return new Date(this.#known.nowMs + days * DAY_MS).toISOString().slice(0, 10);
  }

  async #post(path: string, body: object = {}) {
    const answer = await call(path, { reference: this.#reference, ...body }, this.#options);
    this.did.push(`${path} ${JSON.stringify(body)} → ${answer.status} ${answer.json.code ?? ''}`);
    return answer;
  }

  async #save(status = 'booked'): Promise<string[]> {
    const from = 5 + this.#draw(30);
    const total = this.#draw(12) === 0 ? 0 : this.#amount(200_000);
    const stay = {
      arrival: this.#day(from),
      departure: this.#day(from + 1 + this.#draw(40)),
      total,
      firstNight: this.#draw(40_000),
    };
    const keeps: Keep[] = [
      { percent: this.#draw(101) },
      { firstNight: true },
      { amount: this.#amount(150_000) },
      { paid: true },
      { nothing: true },
    ];
    this.#keep = keeps[this.#draw(keeps.length)] ?? { nothing: true };
    const keep = 'amount' in this.#keep ? { amount: this.#decimal(this.#keep.amount) } : this.#keep;
    const { status: saved } = await this.#post('/booking/v1/create/manage-payments', {
      arrival: dmy(stay.arrival),
      departure: dmy(stay.departure),
      status,
      email: `${this.#reference}@hotel.com`,
      lastName: 'Nguyen',
      totalCost: this.#decimal(total),
      firstNightCost: this.#decimal(stay.firstNight),
      cancellationPolicy: { rules: [{ keep }] },
    });
    if (saved !== 200) return ['it is not saved'];
    this.#known = { ...this.#known, stay, knownTotal: total || this.#known.knownTotal };
    return [];
  }

  async #put(): Promise<string[]> {
    const spec = this.#draw(2) === 0 ? this.#terms() : this.#repeat();
    const before = await this.#observed();
    const { json, status } = await this.#post('/payment-plan/v1/put', this.#bodyOf(spec));
    if (status !== 200) return json.code === 'plan_too_long' ? [] : ['it is not put'];
    this.#plan = new JudgedPlan(spec, before);
    return [];
  }

  #terms(): PlanSpec {
    const due = () => {
      const anchor = (['arrival', 'departure', 'date', 'now'] as const)[this.#draw(4)] ?? 'arrival';
      const days = this.#draw(30) - (anchor === 'now' || anchor === 'date' ? -1 : 15);
      return { anchor, date: anchor === 'date' ? this.#day(0) : null, days, time: '10:30' };
    };
    const term = (share: PlanTerm['share']): PlanTerm => ({
      label: null,
      purpose: this.#draw(2) === 0 ? 'Deposit' : 'Balance',
      share,
      due: due(),
    });
    const shares: PlanTerm['share'][] = [
      { kind: 'amount', amountMinor: this.#amount(60_000) },
      { kind: 'percent', hundredths: this.#draw(10_001) },
      { kind: 'firstNight' },
    ];
    const some = shares.filter(() => this.#draw(2) === 0).map(term);
    return { terms: [...some, term({ kind: 'rest' })], repeat: null };
  }

  #repeat(): PlanSpec {
    const repeat = {
      every: (['week', 'fortnight', 'month'] as const)[this.#draw(3)] ?? 'week',
      amountMinor: this.#amount(40_000),
      from: null,
      until: null,
      days: this.#draw(9) - 4,
      time: '10:30',
      lastPeriod: this.#draw(2) === 0 ? ('prorate' as const) : ('full' as const),
      label: null,
      purpose: 'Balance' as const,
    };
    return { terms: [], repeat };
  }

  #bodyOf({ repeat, terms }: PlanSpec): object {
    if (repeat) {
      const { amountMinor, days, every, lastPeriod, time } = repeat;
      return { repeat: { every, amount: this.#decimal(amountMinor), days, time, lastPeriod } };
    }
    return {
      terms: terms.map(({ due: { date, ...due }, purpose, share }) => ({
        transactionType: purpose,
        due: date === null ? due : { ...due, date },
        ...(share.kind === 'amount'
          ? { amount: this.#decimal(share.amountMinor) }
          : share.kind === 'percent'
            ? { percent: share.hundredths / 100 }
            : { [share.kind]: true }),
      })),
    };
  }

  async #cancelPlan(): Promise<string[]> {
    if (this.#plan === null) return [];
    const { json } = await this.#post('/payment-plan/v1/cancel');
    this.#known = await this.#observed();
    this.#plan.cancel(this.#known);
    const wrong = this.#plan.differences(json.plan, this.#known);
    this.#plan = null;
    return wrong;
  }

  async #pay(): Promise<string[]> {
    await this.#post('/payment/v1/create', { amount: this.#decimal(this.#amount(50_000)) });
    return [];
  }

  async #refund(): Promise<string[]> {
    const room = this.#known.payments.filter(
      (it) => it.status === 'Accepted' && !this.#known.withdrawn.has(it.id),
    );
    const charge = room[this.#draw(Math.max(1, room.length))];
    const left = charge ? leftOf(charge, this.#known) : 0;
    if (!charge || left === 0) return [];
    const amount = this.#decimal(this.#amount(left));
    const { status } = await this.#post('/refund/v1/create', { chargeId: charge.id, amount });
    return status === 200 ? [] : ['it is not refunded'];
  }

  async #dispute(): Promise<string[]> {
    if (this.#draw(3) > 0) return [];
    const taken = this.#known.payments.filter(({ status }) => status === 'Accepted');
    const charge = taken[this.#draw(Math.max(1, taken.length))];
    if (!charge || this.#known.withdrawn.has(charge.id)) return [];
    if (leftOf(charge, this.#known) === 0) return [];
    const act = { action: 'dispute', property: this.#property, reference: this.#reference };
    await callAsAdmin('/sandbox/v1/act', { ...act, chargeId: charge.id });
    await sandboxAcquirer(testEnv).deliverNow();
    this.did.push(`dispute of ${charge.id}`);
    return [];
  }

  async #attach(): Promise<string[]> {
    const [cardNumber, card] = CARDS[this.#draw(CARDS.length)] ?? CARDS[0];
    await this.#post('/payment/v1/tokenize', { cardNumber, cardExpiry: '12/2035' });
    this.#card = card;
    this.#virtual = null;
    return [];
  }

  async #attachVirtual(): Promise<string[]> {
    const fromMs = this.#known.nowMs + this.#draw(10) * DAY_MS;
    const limit = this.#amount(120_000);
    const virtualCard = {
      activeFrom: new Date(fromMs).toISOString(),
      limit: this.#decimal(limit),
      autoCharge: true,
    };
    const card = { cardNumber: OTHER_GOOD, cardExpiry: '12/2035', virtualCard };
    const { json, status } = await this.#post('/payment/v1/tokenize', card);
    if (status !== 200) return ['no virtual card'];
    this.#card = 'pays';
    this.#virtual = { token: json.card.token, fromMs };
    this.#limits.set(json.card.token, limit);
    return [];
  }

  async #hold(): Promise<string[]> {
    const expiryTime = new Date(this.#known.nowMs + 20 * DAY_MS).toISOString();
    const amount = this.#decimal(this.#amount(50_000));
    await this.#post('/payment/v1/create', { amount, preAuth: true, expiryTime });
    return [];
  }

  /** Time passes until the next thing is due. */
  async #pass(): Promise<string[]> {
    const { nowMs, payments } = this.#known;
    const waiting = payments.filter(({ status }) => status === 'Pending');
    const retries = waiting.flatMap(({ attempts, scheduledTime }) =>
      AFTER_DECLINES.slice(attempts - 1, attempts).map((ms) => Date.parse(scheduledTime) + ms),
    );
    const firing = waiting.map(({ scheduledTime }) => Date.parse(scheduledTime));
    const times = [...(this.#plan?.timesAfter(nowMs) ?? []), ...retries, ...firing];
    const next = times.filter((atMs) => atMs > nowMs).toSorted((one, other) => one - other)[0];
    await this.#advance(next === undefined ? nowMs + 6 * HOUR_MS : next + 2_000);
    return [];
  }

  async #advance(toMs: number): Promise<void> {
    const to = new Date(toMs).toISOString();
    const { status } = await callAsAdmin('/sandbox/v1/clock/advance', {
      property: this.#property,
      to,
    });
    this.did.push(`until ${to} → ${status}`);
  }

  /** Cancels the booking by a quote, judges both, and books it again. */
  async #cancel(): Promise<string[]> {
    this.#known = await this.#observed();
    const known = this.#known;
    const reason = (['guest', 'noShow', 'property'] as const)[this.#draw(3)] ?? 'guest';
    const keep = reason === 'property' ? 0 : keptOf(this.#keep, known);
    const quote = await cancellationOf(this.#reference, { reason }, this.#options);
    const right = judgeCancellation(keep, this.#cardFor(keep, known), known);
    const { minor } = known;
    const quoted = [minor(quote.keep), minor(quote.paid), quote.allowed];
    const { json } = await applied(
      this.#reference,
      quote.cancellationQuoteId,
      undefined,
      this.#options,
    );
    this.did.push(`cancelled: ${JSON.stringify(json.settlement ?? json.code)}`);
    if (!json.settlement) return [`the quote is refused: ${json.code}`];
    const { captured, charged, kept, refunded, uncollected } = json.settlement;
    const wasPaid = paidOf(known);
    const sum = minor(kept) + minor(refunded);
    this.#plan = null;
    await this.#save();
    return [
      ...differs('quoted', quoted, [keep, wasPaid, true]),
      ...differs('kept and refunded', [sum], [wasPaid + minor(charged) + minor(captured)]),
      ...differs(
        'captured, charged, refunded, uncollected',
        [captured, charged, refunded, uncollected].map(minor),
        [right.captured, right.charged, right.refunded, right.uncollected],
      ),
    ];
  }

  /** What the booking's card does with a fee for a cancellation. */
  #cardFor(keep: number, known: Known): 'pays' | 'declines' | 'none' {
    const { pays, remaining } = this.#charged(known);
    const wanted = judgeCancellation(keep, 'pays', known).charged;
    if (this.#virtual && !(pays && wanted <= remaining)) return 'none';
    return this.#card;
  }

  #charged(known: Known): ChargedCard {
    const remaining = this.#remaining(known, this.#virtual?.token ?? null);
    const isActive = this.#virtual === null || known.nowMs >= this.#virtual.fromMs;
    return { pays: this.#card === 'pays' && isActive && remaining > 0, remaining };
  }

  /** What remains on a virtual card; without end on any other. */
  #remaining({ minor, payments }: Known, token: string | null): number {
    const limit = this.#limits.get(token ?? '');
    if (limit === undefined) return Number.MAX_SAFE_INTEGER;
    const own = payments.filter((payment) => tokenOfCard(payment) === token);
    return own.reduce((left, payment) => {
      if (payment.status === 'Authorized') return left - minor(payment.amount);
      return payment.status === 'Accepted' ? left - leftOf(payment, { minor }) : left;
    }, limit);
  }

  /** What the service says of the booking now. */
  async #observed(): Promise<Known> {
    const of = { reference: this.#reference };
    const { transactions } = (await call('/payment/v1/transaction', of, this.#options)).json;
    const { disputes } = (await call('/dispute/v1/list', of, this.#options)).json;
    const { json } = await callAsAdmin('/sandbox/v1/clock/get', { property: this.#property });
    const { minor } = this.#known;
    return {
      ...this.#known,
      nowMs: Date.parse(json.now),
      payments: transactions,
      withdrawn: new Map(disputes.map(({ amount, chargeId }) => [chargeId, minor(amount)])),
    };
  }

  /** Follows what has changed since the last look, lets what is due at once be done, and compares all. */
  async #judge(): Promise<string[]> {
    const before = this.#known;
    await this.#advance((await this.#observed()).nowMs + 2_000);
    const after = await this.#observed();
    const known = new Set(before.payments.map(({ id }) => id));
    const own = (id: number) => before.payments.find((one) => one.id === id);
    const isOfPart = ({ id, partId }: { id: number; partId?: string }) =>
      partId !== undefined &&
      this.#plan !== null &&
      !(known.has(id) && own(id)?.status === 'Accepted');
    // All but what the plan did.
    const between = {
      ...after,
      nowMs: before.nowMs,
      payments: after.payments.flatMap((one) => (isOfPart(one) ? (own(one.id) ?? []) : [one])),
    };
    this.#known = after;
    this.#plan?.changed(between);
    const passed = this.#plan?.passed(between, after, this.#charged(between)) ?? [];
    return [...passed, ...this.#autoCharged(before, after), ...(await this.#compared())];
  }

  /** What a virtual card charged by itself: what was due and remained. */
  #autoCharged(before: Known, after: Known): string[] {
    const earlier = new Map(before.payments.map((one) => [one.id, one.status]));
    const fired = after.payments.filter(
      ({ id, partId, scheduledTime, status }) =>
        status === 'Accepted' &&
        partId === undefined &&
        scheduledTime !== undefined &&
        earlier.get(id) === 'Pending',
    );
    return fired.flatMap((payment) => {
      const { amount, id } = payment;
      const without = { ...after, payments: after.payments.filter((one) => one.id !== id) };
      const remaining = this.#remaining(without, tokenOfCard(payment));
      const right = Math.min(unattendedOf(without), remaining);
      return differs(`auto-charge ${id}`, [after.minor(amount)], [right]);
    });
  }

  async #compared(): Promise<string[]> {
    const known = this.#known;
    const { minor } = known;
    const { balance } = (
      await call('/payment/v1/balance', { reference: this.#reference }, this.#options)
    ).json;
    const money = differs(
      'paid and due',
      [minor(balance.paid), minor(balance.due)],
      [paidOf(known), dueOf(known)],
    );
    const taken = (await ledgerOf(this.#reference))
      .filter(({ kind, status }) => status === 'succeeded' && /charge|capture/.test(kind))
      .reduce((sum, { amount }) => sum + minor(amount), 0);
    const here = known.payments
      .filter(({ status }) => status === 'Accepted')
      .reduce((sum, { amount }) => sum + minor(amount), 0);
    const there = differs('taken at the acquirer', [here], [taken]);
    return [...money, ...there, ...(await this.#comparedPlan(minor(balance.planned)))];
  }

  async #comparedPlan(planned: number): Promise<string[]> {
    if (this.#plan === null) return [];
    const plan = this.#plan;
    const { json } = await call(
      '/payment-plan/v1/get',
      { reference: this.#reference },
      this.#options,
    );
    const wrong = plan.differences(json.plan, this.#known);
    const isDone = plan.isDone(this.#known.nowMs);
    const status = differs('plan', [json.plan.status], [isDone ? 'completed' : 'active']);
    const toCome = differs('planned', [planned], [isDone ? 0 : plan.planned()]);
    if (isDone) this.#plan = null;
    return [...wrong, ...status, ...toCome];
  }
}

const CARDS = [
  [GOOD, 'pays'],
  [GOOD, 'pays'],
  [DECLINED, 'declines'],
  [LOST_CARD, 'declines'],
] as const;

/** When a soft decline is tried again, after the first attempt. */
const AFTER_DECLINES = [HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS];

function differs(what: string, seen: readonly unknown[], right: readonly unknown[]): string[] {
  return seen.join() === right.join() ? [] : [`${what}: ${seen.join()}, right is ${right.join()}`];
}

/** The card of a payment; null for one that had none to be charged on. */
function tokenOfCard({ cardDetails }: Known['payments'][number]): string | null {
  const card: { readonly token: string } | null = cardDetails;
  return card?.token ?? null;
}

function dmy(day: string): string {
  return day.split('-').toReversed().join('-');
}

describe.each(SEEDS)('random stays, seed %i', (seed) => {
  it('are what they must be after each command', async () => {
    for (let first = 0; first < COMMANDS; first += LENGTH) {
      const place = PLACES[(first / LENGTH) % PLACES.length] ?? PLACES[0];
      const property = `stay-${seed}-${first}`;
      const stay = await StayStory.begin(property, place, drawing(seed * 1_000 + first));
      for (let step = 0; step < LENGTH; step += 1) {
        const wrong = await stay.step();
        expect(wrong, `${property}\n${stay.did.join('\n')}`).toEqual([]);
      }
    }
  });
});
