import { DAY_MS } from '../core/time.ts';
import type { RetriedCharges } from '../operation/work.ts';

/** D1 can be restored to any of the last 30 days. */
const KEPT_MS = 30 * DAY_MS;

const PREFIX = 'retried:';

/** Keeps in an object's own storage, which no restore of D1 changes, which schedules were tried under a later key. */
export class RetriedInStorage implements RetriedCharges {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async has(chargeReference: string): Promise<boolean> {
    return (await this.#storage.get(PREFIX + chargeReference)) !== undefined;
  }

  async add(chargeReference: string): Promise<void> {
    const nowMs = Date.now();
    const kept = await this.#storage.list<number>({ prefix: PREFIX, limit: 100 });
    const old = [...kept].filter(([, atMs]) => nowMs - atMs > KEPT_MS).map(([key]) => key);
    if (old.length > 0) await this.#storage.delete(old);
    await this.#storage.put(PREFIX + chargeReference, nowMs);
  }
}
