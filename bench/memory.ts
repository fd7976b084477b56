import { setTimeout as sleep } from 'node:timers/promises';
import type { Inspector } from './inspector.ts';
import { residentBytes } from './workerdProcess.ts';

/** How often memory is looked at. */
const LOOK_MS = 50;

/** Memory at one instant, or the most of each over a time; in bytes. */
export interface Memory {
  /** JavaScript values, garbage that is not collected yet included. */
  readonly heap: number;
  /** Those and the buffers that they hold. */
  readonly heapAndBuffers: number;
  /** The whole runtime: every isolate, SQLite's caches, code. NaN when it is not known. */
  readonly resident: number;
}

/** What some work took. */
export interface MemoryUse {
  /** Before the work, with whatever garbage was not collected by then: workerd collects none on demand. */
  readonly idle: Memory;
  readonly peak: Memory;
  readonly samples: number;
}

/** What V8 tells of an isolate's heap; older versions tell only the first of it. */
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** Looks at the memory of an isolate and of its process for as long as some work takes. */
export async function watchMemory(
  inspector: Inspector,
  statusFile: string | null,
  work: () => Promise<void>,
): Promise<MemoryUse> {
  const idle = await look(inspector, statusFile);
  const watched = watch(inspector, statusFile);
  try {
    await work();
  } finally {
    watched.stop();
  }
  return { idle, ...(await watched.seen) };
}

function watch(inspector: Inspector, statusFile: string | null) {
  const ended = new AbortController();
  const lookOn = async () => {
    let peak = await look(inspector, statusFile);
    let samples = 1;
    while (!ended.signal.aborted) {
      peak = most(peak, await look(inspector, statusFile));
      samples += 1;
      await sleep(LOOK_MS);
    }
    return { peak, samples };
  };
  return { stop: () => ended.abort(), seen: lookOn() };
}

async function look(inspector: Inspector, statusFile: string | null): Promise<Memory> {
  const usage = await inspector.send<HeapUsage>('Runtime.getHeapUsage');
  const { usedSize: heap, embedderHeapUsedSize = 0, backingStorageSize = 0 } = usage;
  return {
    heap,
    heapAndBuffers: heap + embedderHeapUsedSize + backingStorageSize,
    resident: residentBytes(statusFile),
  };
}

function most(one: Memory, other: Memory): Memory {
  return {
    heap: Math.max(one.heap, other.heap),
    heapAndBuffers: Math.max(one.heapAndBuffers, other.heapAndBuffers),
    resident: Math.max(one.resident, other.resident),
  };
}
