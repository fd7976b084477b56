/** What the Worker's isolate remembers beside its stores: clients, tokens, homes, pending notifications. Files share it. */
import { LruCache } from '../../src/core/lruCache.ts';

const written = new Set<LruCache<unknown>>();

const { set } = LruCache.prototype;
LruCache.prototype.set = function noted(this: LruCache<unknown>, name, value) {
  written.add(this);
  set.call(this, name, value);
};

/** Empties every memory, as those of an isolate that has just begun. */
export function forgetMemories(): void {
  for (const memory of written) memory.deleteWhere(() => true);
  written.clear();
}
