import { DAY_MS } from '../core/time.ts';
import type { RetriedCharges } from '../operation/work.ts';

/** D1 can be restored to any of the last 30 days. */
const KEPT_MS = 30 * DAY_MS;

const PREFIX = 'retried:';

/** The last key that a schedule was tried under, and when. */
interface Kept {
  readonly keyNumber: number;
  readonly atMs: number;
}

/** Keeps in an object's own storage, which no restore of D1 changes, which schedules were tried under a later key. */
export class RetriedInStorage implements RetriedCharges {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async lastKeyNumber(chargeReference: string): Promise<number> {
    return (await this.#storage.get<Kept>(PREFIX + chargeReference))?.keyNumber ?? 0;
  }

  async neededUntilMs(): Promise<number> {
    const kept = await this.#storage.list<Kept>({ prefix: PREFIX });
    return Math.max(0, ...[...kept.values()].map(({ atMs }) => atMs + KEPT_MS));
  }

  async note(chargeReference: string, keyNumber: number): Promise<void> {
    const atMs = Date.now();
    const kept = await this.#storage.list<Kept>({ prefix: PREFIX, limit: 100 });
    const old = [...kept].filter(([, it]) => atMs - it.atMs > KEPT_MS).map(([key]) => key);
    if (old.length > 0) await this.#storage.delete(old);
    await this.#storage.put<Kept>(PREFIX + chargeReference, { keyNumber, atMs });
  }
}
