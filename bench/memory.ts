import { setTimeout as sleep } from 'node:timers/promises';
import type { Inspector } from './inspector.ts';
import { residentBytes } from './workerdProcess.ts';

/** The pause between two samples of memory. */
const SAMPLE_MS = 50;

/** Memory at one instant, or the peak of each kind, in bytes. */
export interface Memory {
  /** JavaScript values, including garbage that is not collected yet. */
  readonly heap: number;
  /** The heap and its buffers. */
  readonly heapAndBuffers: number;
  /** The whole runtime: every isolate, SQLite's caches, code. NaN when it is not known. */
  readonly resident: number;
}

/** The memory use of some work. */
export interface MemoryUse {
  /** Before the work, including garbage: workerd collects none on demand. */
  readonly idle: Memory;
  readonly peak: Memory;
  readonly samples: number;
}

/** V8's heap usage of an isolate. Older versions report only the first member. */
interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** Samples the memory of an isolate and its process during some work. */
export async function watchMemory(
  inspector: Inspector,
  statusFile: string | null,
  work: () => Promise<void>,
): Promise<MemoryUse> {
  const idle = await sample(inspector, statusFile);
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
  const sampleOn = async () => {
    let peak = await sample(inspector, statusFile);
    let samples = 1;
    while (!ended.signal.aborted) {
      peak = most(peak, await sample(inspector, statusFile));
      samples += 1;
      await sleep(SAMPLE_MS);
    }
    return { peak, samples };
  };
  return { stop: () => ended.abort(), seen: sampleOn() };
}

async function sample(inspector: Inspector, statusFile: string | null): Promise<Memory> {
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
