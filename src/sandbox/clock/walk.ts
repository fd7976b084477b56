import { bookingObject } from '../../booking/stub.ts';
import { dueByMovedClocks } from '../../booking/sweep.ts';
import { clockOf, type PropertyClock, propertyTime } from '../../core/propertyClock.ts';
import { DAY_MS } from '../../core/time.ts';
import type { Dispatchers } from '../../delivery/stub.ts';
import { advance } from '../../disbursements/advance.ts';
import { selectDueOfProperty } from '../../disbursements/store.ts';
import { eventDispatchers } from '../../events/delivery/stub.ts';
import { selectGateway } from '../../gateways/select.ts';
import { sendMailsAsOf, wakeMailer } from '../../mails/stub.ts';
import { requireConfig } from '../../platform/config.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import type { Env } from '../../platform/env.ts';
import { logError } from '../../platform/log.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { Trace } from '../../platform/trace.ts';
import { pmsDispatchers } from '../../pms/outbox/stub.ts';
import { comparesByClockAtMs } from '../../reconciliation/rules/runs.ts';
import { compareByClock } from '../../reconciliation/sweep.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import { findProperty, moveClock } from '../../records/properties/store.ts';
import { retain } from '../../retention/retain.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { recordSandboxMovements } from '../disbursements.ts';
import { sandboxAcquirer } from '../stub.ts';
import { type FirstDue, readDue } from './store.ts';

export interface Stretch {
  readonly fired: number;
  /** Whether the clock has come to the end. Otherwise it is frozen on the way, and another stretch goes on. */
  readonly done: boolean;
}

/** How many instants one stretch visits: each takes a few calls, and the platform allows 1,000 per invocation. */
const MOST_INSTANTS = 60;

/** How many bookings one advance erases or archives; the daily sweep does the rest. */
const MOST_LET_GO = 500;

/** How often in a row something due may resist being done before the stretch fails. */
const MOST_FUTILE = 5;

/** How long a receiver that takes nothing is left alone. */
interface Backoff {
  /** By the property's clock. */
  readonly untilMs: number;
  /** How long after a failed probe the next one is made. */
  readonly probeAfterMs: number;
}

/** What is due first: of D1, or the comparison with the acquirer's record. */
type Due = FirstDue | { readonly kind: 'comparing'; readonly atMs: number };

/** Who gets what is due; null for what is no message and no event. */
function receiverOf(due: Due): string | null {
  if (due.kind === 'events') return due.endpointId;
  return due.kind === 'messages' ? 'pms' : null;
}

/**
 * A stretch of an advance (interface: Test clock). The property's clock is frozen at each instant at which
 * something is due, in their order, while that is done by the same code as otherwise. Then it runs on from `toMs`. A stretch that is
 * cut off has done what it has done: the next one goes on from there.
 */
export class Walk {
  readonly #env: Env;
  readonly #propertyId: string;
  readonly #toMs: number;
  readonly #trace = new Trace();
  readonly #database: Database;
  readonly #requestId = crypto.randomUUID();
  /** The receivers of messages and events that take none, by their names. */
  readonly #backoffs = new Map<string, Backoff>();
  #futile = 0;
  #mailsAreStuck = false;
  /** When the acquirer's record is compared, once a stretch; null before the stretch began. */
  #comparesAtMs: number | null = null;

  constructor(env: Env, propertyId: string, toMs: number) {
    this.#env = env;
    this.#propertyId = propertyId;
    this.#toMs = toMs;
    this.#database = openDatabase(env, this.#trace).of(propertyId);
  }

  /** Goes as far as one stretch may. Throws if something due cannot be done. */
  async stretch(): Promise<Stretch> {
    let fired = 0;
    await this.#catchUpWithAcquirer();
    for (let visited = 0; visited < MOST_INSTANTS; visited += 1) {
      const read = await readDue(this.#database, this.#propertyId, this.#toMs);
      if (read === null) return { fired, done: true };
      this.#comparesAtMs ??= comparesByClockAtMs(propertyNow(read.property));
      const due = this.#first([...read.due, { kind: 'comparing', atMs: this.#comparesAtMs }]);
      if (due === null) {
        await this.#runOn(read.property);
        return { fired, done: true };
      }
      const clock = await this.#freezeAt(read.property, due.atMs);
      fired += await this.#visit(due, read.property, clock);
    }
    return { fired, done: false };
  }

  /** What is due first; messages and events only once their receivers take them. */
  #first(due: readonly Due[]): Due | null {
    const possible = due
      .map((one) => {
        const untilMs = this.#backoffs.get(receiverOf(one) ?? '')?.untilMs ?? 0;
        return { ...one, atMs: Math.max(one.atMs, untilMs) };
      })
      .filter(({ kind, atMs }) => atMs <= this.#toMs && !(kind === 'mails' && this.#mailsAreStuck));
    return possible.toSorted((one, other) => one.atMs - other.atMs)[0] ?? null;
  }

  /** Freezes the clock at an instant, or where it is if that has passed. */
  async #freezeAt(property: PropertyRow, atMs: number): Promise<PropertyClock> {
    const frozenAtMs = Math.max(atMs, propertyNow(property));
    if (property.clockFrozenAtMs === frozenAtMs) return clockOf(property);
    return this.#move(property, frozenAtMs, frozenAtMs);
  }

  /** The end: the clock runs again, and the alarms are set by it. */
  async #runOn(property: PropertyRow): Promise<void> {
    const clock = await this.#move(property, Math.max(this.#toMs, propertyNow(property)), null);
    const moved = [{ id: property.id, ...clock }];
    const soon = await dueByMovedClocks(this.#database, moved, Date.now());
    await Promise.all(soon.map(({ reference }) => this.#wake(reference)));
    if (property.pmsUrl !== null) {
      await pmsDispatchers.notify(this.#env, this.#trace, property.pmsUrl, 'overdue');
    }
    for (const endpointId of property.webhookEndpoints) {
      await eventDispatchers.notify(this.#env, this.#trace, endpointId, 'overdue');
    }
    await wakeMailer(this.#env, property.id);
    await this.#retain(property.id);
  }

  /** Lets go of what the property's retention does not keep by then. */
  async #retain(propertyId: string): Promise<void> {
    const property = await findProperty(this.#database, propertyId);
    if (!property?.retention) return;
    const gateway = selectGateway(await requireConfig(this.#env), this.#env);
    const [env, database, trace] = [this.#env, this.#database, this.#trace];
    const work = { env, database, trace, gateway, requestId: this.#requestId, actor: 'alarm' };
    await retain(work, property, MOST_LET_GO);
  }

  async #move(
    { id, version }: PropertyRow,
    atMs: number,
    clockFrozenAtMs: number | null,
  ): Promise<PropertyClock> {
    const clockAheadMs = Math.max(0, atMs - Date.now());
    const moved = { clockAheadMs, clockFrozenAtMs };
    await this.#database.batch('d1.clock.move', [moveClock(id, moved)]);
    forgetClientsOf(id);
    return { ...moved, version: version + 1 };
  }

  /** Does what is due first. Returns how many things that were. */
  async #visit(due: Due, property: PropertyRow, clock: PropertyClock): Promise<number> {
    const atMs = propertyTime(clock, Date.now());
    switch (due.kind) {
      case 'booking':
        return this.#visitBooking(due.reference, clock);
      case 'messages':
        return this.#deliver(due, atMs, pmsDispatchers, property.pmsUrl ?? '');
      case 'events':
        return this.#deliver(due, atMs, eventDispatchers, due.endpointId);
      case 'mails':
        return this.#sendMails();
      case 'disbursements':
        return this.#payOut(atMs);
      case 'comparing':
        return this.#compare(atMs);
    }
  }

  /** Finds what the acquirer did without any event of it. It notifies of what happens on the way. */
  async #compare(atMs: number): Promise<number> {
    this.#comparesAtMs = Number.POSITIVE_INFINITY;
    return compareByClock(this.#env, await requireConfig(this.#env), this.#propertyId, atMs);
  }

  async #visitBooking(reference: string, clock: PropertyClock): Promise<number> {
    const done = await this.#wake(reference, clock);
    if (done > 0) await this.#catchUpWithAcquirer();
    this.#futile = done > 0 ? 0 : this.#futile + 1;
    if (this.#futile > MOST_FUTILE) throw new Error('what is due of a booking cannot be done');
    return done;
  }

  /** Processes what is due of a booking. One that fails is tried again at the same instant. */
  async #wake(reference: string, clock?: PropertyClock): Promise<number> {
    const about = { propertyId: this.#propertyId, reference, requestId: this.#requestId };
    const context = { ...about, actor: 'alarm', ...(clock && { clock }) };
    try {
      return await this.#trace.span('object.booking', () =>
        bookingObject(this.#env, this.#propertyId, reference).wake(context),
      );
    } catch (error) {
      logError('wake_failed', error, { property: this.#propertyId, booking: reference });
      return 0;
    }
  }

  /** Lets a dispatcher send what is due. */
  async #deliver(due: Due, atMs: number, dispatchers: Dispatchers, to: string): Promise<number> {
    const { attempts, backoffUntilMs } = await dispatchers.sendAsOf(
      this.#env,
      this.#trace,
      to,
      this.#propertyId,
      atMs,
    );
    const receiver = receiverOf(due) ?? '';
    const probeAfterMs = this.#backoffs.get(receiver)?.probeAfterMs ?? DAY_MS / 2;
    if (backoffUntilMs > atMs) {
      // No real time passes, so a receiver that is down stays so: probing it as often as otherwise would take for ever.
      const laterMs = probeAfterMs * 2;
      const untilMs = Math.max(backoffUntilMs, atMs + laterMs);
      this.#backoffs.set(receiver, { untilMs, probeAfterMs: laterMs });
    } else if (attempts === 0) {
      // The dispatcher has no use for it: that does not hold up the clock.
      this.#backoffs.set(receiver, { untilMs: Number.POSITIVE_INFINITY, probeAfterMs });
    }
    return attempts;
  }

  async #sendMails(): Promise<number> {
    const { sent, changed } = await sendMailsAsOf(this.#env, this.#trace, this.#propertyId);
    // Mails that stay as they are do not hold up the clock.
    if (!changed) this.#mailsAreStuck = true;
    return sent;
  }

  async #payOut(atMs: number): Promise<number> {
    const database = this.#database;
    const [due] = await database.batch('d1.disbursement.read', [
      selectDueOfProperty(this.#propertyId, atMs),
    ]);
    // A frozen clock is further ahead than real time, so it is what the clock shows.
    await advance(database, due, Date.now());
    return due.length;
  }

  /** Lets the acquirer notify of disputes after money moved, and adds its movements to their disbursements. */
  async #catchUpWithAcquirer(): Promise<void> {
    await this.#trace.span('object.sandbox', () => sandboxAcquirer(this.#env).deliverNow());
    await recordSandboxMovements(this.#env, Date.now());
  }
}
