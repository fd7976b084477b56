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

importOnce(globalThis.__vitest_mocker__.moduleRunner);

beforeAll(freshDatabase);
