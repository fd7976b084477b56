/** Runs with each file of the Worker's tests: files share a runtime, and each begins with the seeded database alone. */
import { afterAll, afterEach, beforeAll, inject, vi } from 'vitest';
import { freshDatabase } from './api.ts';
import { leaks } from './leaks.ts';
import { useStore } from './store.ts';

interface ModuleRunner {
  import: (id: string) => Promise<unknown>;
}

declare global {
  /** Vitest's own: what the Workers plugin imports the Worker with. */
  var __vitest_mocker__: { readonly moduleRunner: ModuleRunner };
  /** What is said on the console during a test, and how it would be printed. */
  var linesOfTest: (() => void)[] | undefined;
}

/** Where `vitest.config.ts` says that the Worker is. */
const MAIN = '/src/index.ts';

/**
 * Imports the Worker once. The plugin does so again before each request and before each call of an object, by two
 * questions to the process outside, which took half of the time of most tests.
 */
function importOnce(runner: ModuleRunner): void {
  if (Object.hasOwn(runner, 'import')) return;
  const original = runner.import.bind(runner);
  let worker: unknown;
  runner.import = async (id) => {
    if (!id.endsWith(MAIN)) return original(id);
    worker ??= await original(id);
    return worker;
  };
}

/**
 * Keeps what is said on the console, to print it after a test that failed. Vitest would send it outside line by line: a
 * line that an object says as its file ends then waits for ever, and the run with it.
 */
function keepLines(): (() => void)[] {
  if (globalThis.linesOfTest) return globalThis.linesOfTest;
  const lines: (() => void)[] = [];
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    const print = console[method].bind(console);
    console[method] = (...line) => void lines.push(() => print(...line));
  }
  globalThis.linesOfTest = lines;
  return lines;
}

importOnce(globalThis.__vitest_mocker__.moduleRunner);

if (!inject('loud')) {
  const lines = keepLines();
  afterEach(({ task }) => {
    const said = lines.splice(0);
    if (task.result?.state !== 'fail') return;
    for (const print of said) print();
  });
}

if (inject('store')) useStore();

afterAll(() => {
  vi.restoreAllMocks();
  const left = leaks();
  if (left.length > 0) throw new Error(`the next file would find replaced: ${left.join(', ')}`);
});

beforeAll(freshDatabase);
