/** A small booking engine: it hears of what happens to its bookings, and catches up after it was down. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { EngineClient, type EngineCredentials } from './client.ts';
import { endpointSchema, eventSchema, pageSchema, type ServiceEvent } from './events.ts';
import { EngineMemory } from './memory.ts';

export interface EngineOptions {
  /** Where the service is. */
  readonly base: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly credentials: EngineCredentials;
  /** The file that the engine remembers in. */
  readonly file: string;
  /** Receives a line for every event. */
  readonly progress?: (line: string) => void;
}

/** A running booking engine. */
export interface RunningEngine {
  /** Where it can be asked what it knows: `GET /bookings`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the engine: it listens, puts its endpoint, and reads what happened while it was down. */
export async function startEngine(options: EngineOptions): Promise<RunningEngine> {
  const engine = new BookingEngine(options);
  const server = createServer((request, response) => void engine.answer(request, response));
  const url = `http://127.0.0.1:${await listen(server, options.port)}`;
  await engine.subscribe(`${url}/events`);
  await engine.catchUp();
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class BookingEngine {
  readonly #client: EngineClient;
  readonly #memory: EngineMemory;
  readonly #progress: (line: string) => void;
  /** Events are taken in one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ base, credentials, file, progress = () => undefined }: EngineOptions) {
    this.#client = new EngineClient(base, credentials);
    this.#memory = new EngineMemory(file);
    this.#progress = progress;
  }

  /** Puts the endpoint: a new one the first time, the same one with its present address later. */
  async subscribe(url: string): Promise<void> {
    const { endpointId, putKey } = this.#memory;
    const known = endpointId === null ? {} : { endpointId };
    const headers = endpointId === null ? { 'Idempotency-Key': putKey } : {};
    const put = await this.#client.post('/webhook/v1/put', { ...known, url }, headers);
    const { endpoint } = endpointSchema.parse(put);
    this.#memory.keepEndpoint(endpoint.endpointId, endpoint.secret);
  }

  /** Reads the list of events from where the last catch-up ended. */
  async catchUp(): Promise<void> {
    for await (const event of this.#list({ after: this.#memory.cursor ?? undefined })) {
      await this.#inTurn(async () => this.#take(event));
      this.#memory.keepCursor(event.eventId);
    }
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(this.#memory.bookings));
      return;
    }
    response.statusCode = await this.#receive(request).catch((error: unknown) => {
      this.#progress(`refused: ${String(error)}`);
      // The service sends it again.
      return error instanceof WebhookVerificationError ? 401 : 500;
    });
    response.end();
  }

  /** Takes a delivery in, and only then confirms it. */
  async #receive(request: IncomingMessage): Promise<number> {
    const { secret } = this.#memory;
    if (secret === null) return 503;
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    const verified = new Webhook(secret).verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(request.headers['webhook-timestamp']),
      'webhook-signature': String(request.headers['webhook-signature']),
    });
    const event = eventSchema.safeParse({ ...Object(verified), eventId: id });
    // What this engine cannot read, such as a test, is none of its business.
    if (event.success) await this.#inTurn(() => this.#takeWithGap(event.data));
    return 204;
  }

  /** An event that is not the booking's next one: the list has those in between. */
  async #takeWithGap(event: ServiceEvent): Promise<void> {
    if (this.#take(event) !== 'gap') return;
    const { reference } = event.data;
    for await (const missed of this.#list({ reference: reference ?? undefined }))
      this.#take(missed);
  }

  #take(event: ServiceEvent): 'taken' | 'known' | 'gap' {
    const taken = this.#memory.take(event);
    const { reference, sequence } = event.data;
    this.#progress(`${reference ?? '-'} ${sequence ?? '-'} ${event.type}: ${taken}`);
    return taken;
  }

  async *#list(of: {
    readonly after?: string | undefined;
    readonly reference?: string | undefined;
  }): AsyncGenerator<ServiceEvent> {
    for (let { after } = of; ; ) {
      const page = pageSchema.parse(await this.#client.post('/event/v1/list', { ...of, after }));
      yield* page.events;
      if (page.nextCursor === null) return;
      after = page.nextCursor;
    }
  }

  /** Runs one thing after the other. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(run, run);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
