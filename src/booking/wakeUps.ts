import type { CallContext } from '../operation/reply.ts';
import { Alarm } from '../platform/alarm.ts';
import type { Trace } from '../platform/trace.ts';

type BookingName = Pick<CallContext, 'propertyId' | 'reference'>;

/** The storage key of the booking's name. */
const BOOKING = 'address';

/**
 * When a booking's object wakes. An alarm does not say which booking it is for, so an object that sets one stores its
 * booking's name. An object that never sets an alarm stores nothing.
 */
export class WakeUps {
  readonly #storage: DurableObjectStorage;
  readonly #alarm: Alarm;
  #isNamed = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#alarm = new Alarm(storage);
  }

  /** The booking that this object is for; null if it never set an alarm. */
  async booking(): Promise<BookingName | null> {
    return (await this.#storage.get<BookingName>(BOOKING)) ?? null;
  }

  /** Stores the booking's name, before its first alarm. */
  async remember({ propertyId, reference }: BookingName): Promise<void> {
    if (await this.#isUsed()) return;
    await this.#storage.put(BOOKING, { propertyId, reference });
    this.#isNamed = true;
  }

  /** Makes sure that the object wakes at this time or earlier. */
  async by(trace: Trace, booking: BookingName, atMs: number): Promise<void> {
    await this.remember(booking);
    await this.#alarm.by(trace, atMs, Date.now());
  }

  /** Sets the alarm to exactly this time. */
  async at(trace: Trace, atMs: number): Promise<void> {
    await this.#alarm.at(trace, atMs);
  }

  /** Sets the alarm for the next due time. One that rings has set another first. */
  async next(trace: Trace, atMs: number): Promise<void> {
    // An alarm that sets itself to now would break the chain of alarms.
    await this.#alarm.moveTo(trace, Math.max(atMs, Date.now() + 1));
  }

  /** The same where an earlier alarm would find nothing due. */
  async putOff(trace: Trace, booking: BookingName, atMs: number): Promise<void> {
    await this.remember(booking);
    const nowMs = Date.now();
    await this.#alarm.putOff(trace, Math.max(atMs, nowMs + 1), nowMs);
  }

  /** Deletes all that the object keeps, and its alarm. The next operation begins anew. */
  async end(trace: Trace): Promise<void> {
    await this.#alarm.off(trace);
    await trace.span('storage.alarm', () => this.#storage.deleteAll());
    this.#isNamed = false;
  }

  /** Sets the alarm again if the platform may have lost it. */
  async repair(trace: Trace): Promise<void> {
    if (await this.#isUsed()) await this.#alarm.repair(trace, Date.now());
  }

  async #isUsed(): Promise<boolean> {
    this.#isNamed ||= (await this.booking()) !== null;
    return this.#isNamed;
  }
}
