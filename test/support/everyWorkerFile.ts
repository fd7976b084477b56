/** Runs with each file of the Worker's tests: files share a runtime, and each begins with the seeded database alone. */
import { beforeAll } from 'vitest';
import { freshDatabase } from './api.ts';

interface ModuleRunner {
  import: (id: string) => Promise<unknown>;
}

declare global {
  /** Vitest's own: what the Workers plugin imports the Worker with. */
  var __vitest_mocker__: { readonly moduleRunner: ModuleRunner };
}

/** Where `wrangler.toml` says that the Worker is. */
const MAIN = '/src/index.ts';

/** How often the process outside is asked for something all the same. */
const FLUSH_EVERY_MS = 250;

/**
 * Imports the Worker once. The plugin does so again before each request and before each call of an object, by two
 * questions to the process outside, which took half of the time of most tests.
 *
 * Those questions also carry out what objects log: the plugin keeps such lines until the next message of this process,
 * and a file ends only when its lines are out. So the questions are asked now and then.
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
  setInterval(() => void original(MAIN), FLUSH_EVERY_MS);
}

importOnce(globalThis.__vitest_mocker__.moduleRunner);

beforeAll(freshDatabase);
