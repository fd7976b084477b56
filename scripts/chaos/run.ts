import { details, ledger, list } from './answers.ts';
import { ChaosClient } from './client.ts';
import { compare } from './compare.ts';
import { Journal, type Sent } from './journal.ts';
import { BookingLoad } from './load.ts';
import type { ChaosOptions } from './options.ts';
import type { Outages } from './outages.ts';
import { checkPromises } from './promises.ts';
import { describeOpen, type Shown, unended, untilQuiet } from './quiet.ts';
import { Random } from './random.ts';
import type { Result } from './report.ts';
import type { Violation } from './violations.ts';

/** How long the service runs between two kills. */
const SHORTEST_LIFE_MS = 1_000;
const LONGEST_LIFE_MS = 4_500;

/** How long the load goes on after the last restart. */
const LAST_LIFE_MS = 3_000;

/** After this long, everything has ended: what the gateway refuses for three days, too. */
const ALL_ENDED_MS = 4 * 86_400_000;

/** Concurrent requests while creating, reading and checking bookings. */
const AT_ONCE = 12;

/** One run: load, kills, quiet, and the comparison. */
export class ChaosRun {
  readonly #options: ChaosOptions;
  readonly #outages: Outages;
  readonly #progress: (line: string) => void;
  readonly #signal: AbortSignal;
  readonly #journal = new Journal();
  readonly #client: ChaosClient;
  readonly #loads: BookingLoad[];

  constructor(
    options: ChaosOptions,
    outages: Outages,
    progress: (line: string) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#outages = outages;
    this.#progress = progress;
    this.#signal = signal;
    this.#client = new ChaosClient(() => outages.address(), signal);
    this.#loads = Array.from({ length: options.bookings }, (_, index) => {
      const reference = `CHAOS-${index + 1}`;
      const random = new Random(`${options.seed}/${reference}`);
      return new BookingLoad(reference, this.#client, this.#journal, random);
    });
  }

  /** Runs everything. Throws when the service does not start, or the run is stopped. */
  async run(): Promise<Omit<Result, 'events'>> {
    this.#progress('Starting the service');
    await this.#outages.start();
    this.#progress('Creating bookings with cards');
    await inParallel(this.#loads, (load) => load.setUp());
    await this.#loadUnderKills();

    this.#progress('The load has ended. Waiting until nothing is under way or due');
    const open = await untilQuiet(() => this.#look(), this.#progress, this.#signal);
    this.#progress('Advancing the clock by four days');
    const to = new Date(Date.now() + ALL_ENDED_MS).toISOString();
    await this.#client.ask('/sandbox/v1/clock/advance', { property: 'demo', to }, 'admin');
    this.#progress('Sending every request with a key again, and comparing all records');
    const keyed = this.#journal.requests.filter(({ key }) => key !== null);
    await inParallel(keyed, (request) => this.#client.settle(request));
    const bookings = await this.#look();
    const { operations } = ledger.parse(await this.#client.ask('/sandbox/v1/ledger', {}, 'admin'));
    return {
      requests: this.#journal.requests,
      bookings,
      ledger: operations,
      replays: keyed.length,
      violations: [
        ...compare(bookings, operations, this.#journal.holdsMade()),
        ...bookings.flatMap((booking) => checkPromises(booking, this.#requestsOf(booking))),
        ...[open, unended(bookings)].flatMap((it) =>
          it.size > 0 ? [stillOpen(describeOpen(it))] : [],
        ),
      ],
    };
  }

  async #loadUnderKills(): Promise<void> {
    const random = new Random(`${this.#options.seed}/kills`);
    let over = false;
    const loads = Promise.all(this.#loads.map((load) => load.run(() => over, this.#signal)));
    // It is awaited at the end, and rejects there.
    loads.catch(() => undefined);
    for (let kill = 1; kill <= this.#options.kills; kill += 1) {
      const lifeMs = random.between(SHORTEST_LIFE_MS, LONGEST_LIFE_MS);
      await this.#outages.leave(lifeMs, this.#signal);
      const awayMs = await this.#outages.killAndRestart();
      this.#signal.throwIfAborted();
      this.#progress(
        `Kill ${kill} of ${this.#options.kills} after ${seconds(lifeMs)}, running again after ${seconds(awayMs)}: ${this.#counts()}`,
      );
    }
    await this.#outages.leave(LAST_LIFE_MS, this.#signal);
    over = true;
    await loads;
    this.#progress(this.#counts());
  }

  #counts(): string {
    const { requests, acknowledged, cutOff } = this.#journal.counts();
    return `${requests} requests, ${acknowledged} answered, ${cutOff} attempts cut off`;
  }

  #look(): Promise<Shown[]> {
    return inParallel(this.#loads, async ({ reference }) => {
      const [listed, detailed] = await Promise.all([
        this.#client.ask('/payment/v1/transaction', { reference }),
        this.#client.ask('/booking/v1/get-details', { reference }),
      ]);
      const { transactions } = list.parse(listed);
      const cancelled = details.parse(detailed).booking.status === 'cancelled';
      return { reference, transactions, cancelled, calledOff: this.#journal.calledOff(reference) };
    });
  }

  #requestsOf(booking: Shown): Sent[] {
    return this.#journal.requests.filter(({ reference }) => reference === booking.reference);
  }
}

function stillOpen(detail: string): Violation {
  return { rule: 'still open', detail };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Runs an action for each item, several at once, and returns the results in order. */
async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const hands = Array.from({ length: AT_ONCE }, async () => {
    for (let index = next++; index < all.length; index = next++) {
      const one = all[index];
      if (one !== undefined) results[index] = await work(one);
    }
  });
  await Promise.all(hands);
  return results;
}
