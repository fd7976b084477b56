import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { copyAssets } from './scripts/assets.ts';
import { wranglerEnvironment } from './scripts/environment.ts';
import { announceMissingBrowser } from './test/service/chromium.ts';
import { scratchFolder } from './test/service/scratch.ts';

announceMissingBrowser();
// As before every start and deployment.
copyAssets();

// Wrangler looks at the environment while it is loaded: its logs belong into the project's folder.
Object.assign(process.env, wranglerEnvironment(), { TMPDIR: scratchFolder() });
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin');

/** The files that take longest, the longest first. */
const LONGEST = [
  'worker/model',
  'service/pages',
  'service/kill',
  'worker/faults',
  'service/',
  'worker/exportFaults',
  'worker/guestFaults',
  'worker/outage',
];

/** Begins with what takes longest, so that no core is idle in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
  return index === -1 ? LONGEST.length : index;
}

/**
 * Three projects: `rules` runs pure code in Node; `worker` runs everything else inside workerd, with real D1,
 * Durable Objects and assets; `service` starts the whole service as `npm start` does, and kills it.
 */
export default defineConfig({
  test: {
    // What passing tests print is noise; what a failing one prints is shown.
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    // One more than there are cores on a small machine: the test that kills the service mostly waits.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'rules',
          include: ['test/rules/**/*.test.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            remoteBindings: false,
            miniflare: {
              bindings: {
                LOCAL_MODE: 'true',
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
                // Which stories test/worker/model.test.ts plays, and how many.
                MODEL_SEED: process.env['MODEL_SEED'] ?? '',
                MODEL_COMMANDS: process.env['MODEL_COMMANDS'] ?? '',
                // How many strange requests each operation gets in test/worker/fuzz.test.ts.
                FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '',
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          // Files share a runtime, wiped at the start of each: importing the Worker anew costs seconds.
          isolate: false,
          testTimeout: 30_000,
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: [
                  'zod',
                  'stripe',
                  'big.js',
                  'card-validator',
                  'currency-codes',
                  'fresh',
                  'hono',
                  'hono/cookie',
                  'hono/csrf',
                  'hono/html',
                  'hono/http-exception',
                  'hono/jsx',
                  'hono/route',
                  'hono/jsx/jsx-dev-runtime',
                  'hono/jsx/jsx-runtime',
                  'hono/secure-headers',
                  'hono/utils/basic-auth',
                  'hono/utils/ipaddr',
                  '@hono/zod-openapi',
                  'drizzle-orm',
                  'drizzle-orm/d1',
                  'drizzle-orm/sqlite-core',
                  'temporal-polyfill',
                  'fast-xml-parser',
                  'fast-check',
                  'bowser',
                  'jose',
                  'uuid',
                ],
              },
            },
          },
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          testTimeout: 150_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
