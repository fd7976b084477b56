import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { ServiceEvent } from './events.ts';

/** What the engine knows of a booking. */
const bookingSchema = z.object({
  /** The last event that it has taken in. */
  sequence: z.number(),
  status: z.string().nullable(),
  /** The state of each payment and refund, by its id. */
  payments: z.record(z.string(), z.string()),
  refunds: z.record(z.string(), z.string()),
});

const memorySchema = z.object({
  /** Under which the endpoint is put, so that a lost answer loses no secret. */
  putKey: z.string(),
  endpointId: z.string().nullable(),
  secret: z.string().nullable(),
  /** The last event that a catch-up read. */
  cursor: z.string().nullable(),
  bookings: z.record(z.string(), bookingSchema),
});

type Memory = z.infer<typeof memorySchema>;

function nothingKnown(): z.infer<typeof bookingSchema> {
  return { sequence: 0, status: null, payments: {}, refunds: {} };
}

/** What the engine knows, in a file that is written whole or not at all. */
export class EngineMemory {
  readonly #file: string;
  readonly #memory: Memory;

  constructor(file: string) {
    this.#file = file;
    this.#memory = existsSync(file)
      ? memorySchema.parse(JSON.parse(readFileSync(file, 'utf8')))
      : { putKey: randomUUID(), endpointId: null, secret: null, cursor: null, bookings: {} };
    this.#save();
  }

  get putKey(): string {
    return this.#memory.putKey;
  }

  get endpointId(): string | null {
    return this.#memory.endpointId;
  }

  get secret(): string | null {
    return this.#memory.secret;
  }

  get cursor(): string | null {
    return this.#memory.cursor;
  }

  /** Everything that it knows of bookings. */
  get bookings(): Memory['bookings'] {
    return this.#memory.bookings;
  }

  /** Keeps the endpoint, and its secret if it is a new one. */
  keepEndpoint(endpointId: string, secret: string | undefined): void {
    this.#memory.endpointId = endpointId;
    this.#memory.secret = secret ?? this.#memory.secret;
    this.#save();
  }

  /** Keeps how far the list of events has been read. */
  keepCursor(eventId: string): void {
    this.#memory.cursor = eventId;
    this.#save();
  }

  /**
   * Takes an event in. `gap`: an event of its booking before it is missing. `known`: it was taken in before, since events
   * come at least once.
   */
  take({ data, type }: ServiceEvent): 'taken' | 'known' | 'gap' {
    const { booking, reference, refund, sequence, transaction } = data;
    // Of what belongs to no booking this engine keeps nothing.
    if (reference === null || sequence === null) return 'taken';
    const known = this.#memory.bookings[reference] ?? nothingKnown();
    if (sequence <= known.sequence) return 'known';
    if (sequence > known.sequence + 1) return 'gap';
    this.#memory.bookings[reference] = known;
    known.sequence = sequence;
    if (booking) known.status = booking.status;
    if (transaction) known.payments[transaction.id] = `${transaction.status} by ${type}`;
    if (refund) known.refunds[refund.id] = refund.status;
    this.#save();
    return 'taken';
  }

  #save(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#memory, null, 2));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
