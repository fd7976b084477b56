import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Service, startService } from '../service.ts';

/** The service as it comes and goes: killed as a power cut would, and started again on the same storage. */
export class Outages {
  readonly #persistTo: string;
  readonly #output: (text: string) => void;
  #service: Service | null = null;
  #up = Promise.withResolvers<string>();

  constructor(persistTo: string, output: (text: string) => void) {
    this.#persistTo = persistTo;
    this.#output = output;
    // Nobody may be waiting when a start fails.
    this.#up.promise.catch(() => undefined);
  }

  /** The address of the service, as soon as it is up. */
  address(): Promise<string> {
    return this.#up.promise;
  }

  /** Starts it on a free port and lets waiting requests go. */
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

  /** Kills its whole process group; requests wait for the next start. */
  async kill(): Promise<void> {
    this.#up = Promise.withResolvers();
    this.#up.promise.catch(() => undefined);
    await this.end();
  }

  /** Kills it for good. The signal is sent before this returns, so that it serves while the process exits. */
  end(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    return service ? service.kill() : Promise.resolve();
  }

  /** Kills it and starts it again; returns how long it was away, in milliseconds. */
  async killAndRestart(): Promise<number> {
    const startedMs = performance.now();
    await this.kill();
    await this.start();
    return performance.now() - startedMs;
  }

  /** Leaves it running for a while. */
  async leave(milliseconds: number, signal: AbortSignal): Promise<void> {
    await sleep(milliseconds, undefined, { signal });
  }
}
