import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Service, startService } from '../service.ts';

/** Kills the service like a power cut, and restarts it on the same storage. */
export class Outages {
  readonly #persistTo: string;
  readonly #output: (text: string) => void;
  #service: Service | null = null;
  #up = Promise.withResolvers<string>();

  constructor(persistTo: string, output: (text: string) => void) {
    this.#persistTo = persistTo;
    this.#output = output;
    // A failed start must not be an unhandled rejection while nothing awaits it.
    this.#up.promise.catch(() => undefined);
  }

  /** The URL of the service, once it is running. */
  address(): Promise<string> {
    return this.#up.promise;
  }

  /** Starts the service on a free port, and lets waiting requests continue. */
  async start(): Promise<void> {
    try {
      this.#service = await startService({
        port: await freePort(),
        persistTo: this.#persistTo,
        output: this.#output,
      });
      this.#up.resolve(this.#service.url);
    } catch (error) {
      this.#up.reject(error);
      throw error;
    }
  }

  /** Kills the whole process group. Requests wait for the next start. */
  async kill(): Promise<void> {
    this.#up = Promise.withResolvers();
    this.#up.promise.catch(() => undefined);
    await this.end();
  }

  /** Kills the service for good. Sends the signal before returning, so that it works in an exit handler. */
  end(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    return service ? service.kill() : Promise.resolve();
  }

  /** Kills and restarts the service. Returns the length of the outage in milliseconds. */
  async killAndRestart(): Promise<number> {
    const startedMs = performance.now();
    await this.kill();
    await this.start();
    return performance.now() - startedMs;
  }

  /** Lets the service run for a while. */
  async leave(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal });
  }
}
