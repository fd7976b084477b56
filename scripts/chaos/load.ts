import { setTimeout as sleep } from 'node:timers/promises';
import { cancelledSchedules, paid, tokenized } from './answers.ts';
import { cardMix, goodCard } from './cards.ts';
import type { ChaosClient } from './client.ts';
import type { Answer, Journal, OperationName, Sent } from './journal.ts';
import type { Random } from './random.ts';

/** The most requests of one booking, so that the checks at the end stay short. */
const MOST_REQUESTS = 100;

/** The longest pause between two requests of one booking. */
const LONGEST_PAUSE_MS = 250;

/** The share of requests that are sent twice at once, as by a double click. */
const DOUBLE = 0.06;

/** The share of requests whose answer the next request does not wait for. */
const OVERLAP = 0.4;

/** The share of operations that are repeated under a new key. The service refuses most of them. */
const AGAIN = 0.25;

/** The weight of each operation, where it is possible. */
const operationMix: readonly (readonly [OperationName, number])[] = [
  ['charge', 30],
  ['schedule', 18],
  ['hold', 18],
  ['capture', 14],
  ['release', 6],
  ['refund', 20],
  ['cancel-schedule', 2],
  ['cancel-schedules', 1],
  ['cancel-booking', 1],
];

const paths: Readonly<Record<OperationName, string>> = {
  charge: '/payment/v1/create',
  schedule: '/payment/v1/schedule',
  hold: '/payment/v1/create',
  capture: '/payment/v1/charge-pre-auth',
  release: '/payment/v1/cancel-pre-auth',
  refund: '/refund/v1/create',
  'cancel-schedule': '/payment/v1/cancel-schedule',
  'cancel-schedules': '/payment/v1/cancel-schedules',
  'cancel-booking': '/booking/v1/create/manage-payments',
};

/** An earlier record that later requests can refer to. Amounts in whole units of the currency. */
interface Made {
  readonly id: number;
  readonly amount: number;
}

/** One booking and its random requests: the same for the same seed and the same answers. */
export class BookingLoad {
  readonly reference: string;
  readonly #client: ChaosClient;
  readonly #journal: Journal;
  readonly #random: Random;
  readonly #charges: Made[] = [];
  readonly #holds: Made[] = [];
  readonly #schedules: Made[] = [];
  #cards: string[] = [];
  #requests = 0;

  constructor(reference: string, client: ChaosClient, journal: Journal, random: Random) {
    this.reference = reference;
    this.#client = client;
    this.#journal = journal;
    this.#random = random;
  }

  /** Creates the booking with a good card and a random card, which it uses from then on. */
  async setUp(): Promise<void> {
    await this.#client.ask(paths['cancel-booking'], this.#booking('booked'));
    for (const cardNumber of [goodCard, this.#random.weighted(cardMix)]) {
      const answer = await this.#client.ask('/payment/v1/tokenize', {
        reference: this.reference,
        cardNumber,
        cardExpiry: '12/2030',
        cvv: '123',
      });
      this.#cards = [...this.#cards, tokenized.parse(answer).card.token];
    }
  }

  /** Sends requests one after the other, sometimes at once, until stopped. Waits for every answer. */
  async run(stopped: () => boolean, signal: AbortSignal): Promise<void> {
    const open: Promise<void>[] = [];
    while (!stopped() && this.#requests < MOST_REQUESTS) {
      await sleep(this.#random.between(0, LONGEST_PAUSE_MS), undefined, { signal });
      const done = this.#request();
      // Awaiting the open requests later reports a failure.
      done.catch(() => undefined);
      open.push(done);
      if (!this.#random.happens(OVERLAP)) await Promise.all(open.splice(0));
    }
    await Promise.all(open);
  }

  async #request(): Promise<void> {
    const operation = this.#random.weighted(operationMix);
    const body = this.#body(operation);
    if (body === null) return;
    this.#requests += 1;
    const keyed = operation !== 'cancel-booking';
    const request = this.#journal.open({
      operation,
      reference: this.reference,
      path: paths[operation],
      body,
      key: keyed ? `${this.reference}-${this.#requests}` : null,
    });
    const sendings = this.#random.happens(DOUBLE) ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: sendings }, () => this.#client.settle(request)),
    );
    for (const answer of answers.slice(0, 1)) this.#remember(request, answer);
  }

  /** The body of an operation; null when the booking has no suitable record yet. */
  #body(operation: OperationName): Readonly<Record<string, unknown>> | null {
    switch (operation) {
      case 'charge':
        return this.#payment();
      case 'schedule':
        return { ...this.#payment(), time: this.#soon(3, 14) };
      case 'hold': {
        // Some holds expire during the kills, the others remain.
        const expiryTime = this.#random.happens(0.2) ? this.#soon(5, 25) : this.#soon(3600, 7200);
        return { ...this.#payment(), preAuth: true, expiryTime };
      }
      case 'capture':
        return this.#about(this.#holds, ({ amount }) =>
          this.#random.happens(0.5) ? {} : { amount: this.#random.between(1, amount) },
        );
      case 'release':
        return this.#about(this.#holds, () => ({}));
      case 'refund':
        return this.#refund();
      case 'cancel-schedule':
        return this.#about(this.#schedules, () => ({}));
      case 'cancel-schedules':
        return { reference: this.reference };
      case 'cancel-booking':
        return this.#booking('cancelled');
    }
  }

  #payment() {
    const token = this.#random.happens(0.5) ? this.#random.pick(this.#cards) : undefined;
    return {
      reference: this.reference,
      amount: this.#random.between(1, 300),
      ...(token !== undefined && { token }),
    };
  }

  /** A request for one of these records, which later requests mostly skip. */
  #about(made: Made[], more: (one: Made) => object): Readonly<Record<string, unknown>> | null {
    const one = this.#random.pick(made);
    if (!one) return null;
    if (!this.#random.happens(AGAIN)) made.splice(made.indexOf(one), 1);
    return { reference: this.reference, chargeId: one.id, ...more(one) };
  }

  /** A part, the whole, or slightly too much; of one charge, or of all the booking's charges. */
  #refund(): Readonly<Record<string, unknown>> | null {
    const one = this.#random.pick(this.#charges);
    if (!one) return null;
    const amount = this.#random.between(1, Math.ceil(one.amount * 1.1));
    const chargeId = this.#random.happens(0.5) ? { chargeId: one.id } : {};
    return { reference: this.reference, amount, ...chargeId };
  }

  #remember({ operation, body }: Sent, { status, body: answer }: Answer): void {
    if (operation === 'cancel-schedules') {
      for (const { id } of cancelledSchedules.safeParse(answer).data?.cancelled ?? []) {
        const at = this.#schedules.findIndex((schedule) => schedule.id === id);
        if (at >= 0) this.#schedules.splice(at, 1);
      }
      return;
    }
    const transaction = paid.safeParse(answer).data?.transaction;
    // A transaction with an unknown outcome may exist: capture and refund it like the others.
    if (!transaction || (status !== 200 && status !== 504)) return;
    const made = { id: transaction.id, amount: Number(body['amount'] ?? transaction.amount) };
    if (operation === 'charge' || operation === 'capture') this.#charges.push(made);
    if (operation === 'hold') this.#holds.push(made);
    if (operation === 'schedule') this.#schedules.push(made);
  }

  /** The time `seconds` from now. */
  #soon(lowest: number, highest: number): string {
    return new Date(Date.now() + this.#random.between(lowest, highest) * 1_000).toISOString();
  }

  #booking(status: 'booked' | 'cancelled') {
    return {
      reference: this.reference,
      arrival: '14-02-2030',
      departure: '17-02-2030',
      status,
      email: 'guest@example.com',
      lastName: 'Nguyen',
      totalCost: 980.5,
      firstNightCost: 300,
    };
  }
}
