import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildFiles } from './scripts/buildFiles.ts';
import { root, wranglerEnvironment } from './scripts/environment.ts';
import { announceMissingBrowser } from './test/service/chromium.ts';
import { scratchFolder } from './test/service/scratch.ts';

const isLong = process.env['LONG'] === '1';

/**
 * Only what hangs is to be found by these: a test may start many processes or try many faults, on a slow machine with
 * much else to do.
 */
const patience = { testTimeout: 900_000, hookTimeout: 300_000 };

/** Whether all that tests say is printed, not only what those say that fail. */
const isLoud = process.argv.includes('--silent=false');

/** What everything that tests draw begins with: `npm run test:sample` draws something else each time. */
const isSample = process.env['SAMPLE'] === '1';
const seed = Number(
  process.env['SEED'] ?? (isSample ? Math.floor(Math.random() * 2 ** 31) : 20_261_123),
);
if (isSample) console.log(`Seed ${seed}: SEED=${seed} draws the same.`);

announceMissingBrowser();
// Wrangler does the same before every start and deployment.
await buildFiles();

// Wrangler reads the environment during its import. Its logs belong in the project's folder.
Object.assign(process.env, wranglerEnvironment(), {
  TMPDIR: scratchFolder(),
  // Tests leave much behind: a young generation of 32 MB is collected less often.
  MINIFLARE_WORKERD_V8_FLAGS: '--min-semi-space-size=32',
});
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin');

/**
 * The order of files: project by project, because a process is reused only within a project, and the Worker's runtime
 * takes seconds to start. Within a project, the longest first. Service tests mostly wait, so others use that time: the
 * model above all, which computes and is the longest.
 */
const ORDER = [
  'worker/model',
  'service/kill',
  'service/moves',
  'service/pages',
  'service/looks',
  'service/start',
  'service/stripe.',
  'service/bankPages',
  'service/setup',
  'service/keys',
  'service/',
  'worker/clock',
  'worker/homes',
  'worker/outbox',
  'worker/stripeFaults',
  'worker/schedules',
  'worker/faults',
  'worker/charge',
  'worker/recovery.',
  'worker/reconciliation.',
  'worker/eventDelivery',
  'worker/exportFaults',
  'worker/',
  'rules/',
];

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  const place = ORDER.findIndex((name) => moduleId.includes(`/test/${name}`));
  // The model is long there.
  return project.name === 'store' && place > 0 ? ORDER.length + place : place;
}

/**
 * What begins with these plays on a store, too: what is kept, listed, lost, refused and moved. Money is the model's there;
 * other files ask for what they need by the same interface.
 */
const ON_STORE = [
  'archive',
  'databaseRestore',
  'daySums',
  'erasure',
  'eventDelivery',
  'everyList',
  'export',
  'faults',
  'growth',
  'historyLock',
  'homes',
  'idempotency',
  'keyring',
  'listGrowth',
  'lists',
  'lost',
  'manyHomes',
  'model',
  'movingSweeps',
  'outbox',
  'plans',
  'reconciliationRuns',
  'retention',
  'schema',
  'stays',
];

/** A project that runs files inside workerd: on D1, or in the short form on a database in an object. */
function worker(name: 'worker' | 'store'): TestProjectConfiguration {
  const store = name === 'store';
  return {
    plugins: [
      cloudflareTest(async () => ({
        // Its own files, not the bundle of them.
        main: './src/index.ts',
        wrangler: { configPath: './wrangler.toml' },
        remoteBindings: false,
        miniflare: {
          // For test/support/databases.ts. Nothing is made of them until a file asks.
          d1Databases: { SPARE_2: 'spare-2' },
          bindings: {
            LOCAL_MODE: 'true',
            TEST_MIGRATIONS: await readD1Migrations('./migrations'),
            // The seed and number of commands of test/worker/model.test.ts, instead of test/support/long.ts.
            MODEL_SEED: process.env['MODEL_SEED'] ?? '',
            MODEL_COMMANDS: process.env['MODEL_COMMANDS'] ?? '',
            // The number of strange requests for each operation in test/worker/fuzz.test.ts.
            FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '',
          },
        },
      })),
    ],
    // As in wrangler.toml, whose aliases tests do not see.
    resolve: {
      alias: {
        bowser: path.join(root, 'dist/libraries/browsers.js'),
        'fast-xml-builder': path.join(root, 'dist/libraries/xmlBuilder.js'),
        papaparse: path.join(root, 'dist/libraries/csv.js'),
        stripe: path.join(root, 'dist/libraries/stripe.js'),
        '@simplewebauthn/server': path.join(root, 'dist/libraries/passkeys.js'),
      },
    },
    test: {
      name,
      include: (store ? ON_STORE : ['']).map((name) => `test/worker/${name}*.test.ts`),
      provide: store ? { store, long: false } : { store },
      setupFiles: ['test/support/everyFile.ts', 'test/support/everyWorkerFile.ts'],
      // test/support/everyWorkerFile.ts keeps what is said.
      disableConsoleIntercept: true,
      // Files share a runtime, wiped at the start of each, because importing the Worker takes seconds.
      isolate: false,
      ...patience,
      deps: {
        optimizer: {
          ssr: {
            enabled: true,
            include: [
              'zod',
              'big.js',
              'card-validator/dist/card-number.js',
              'card-validator/dist/luhn-10.js',
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
              'temporal-polyfill/fns/Calendar',
              'temporal-polyfill/fns/Instant',
              'temporal-polyfill/fns/PlainDate',
              'temporal-polyfill/fns/PlainDateTime',
              'temporal-polyfill/fns/PlainTime',
              'temporal-polyfill/fns/ZonedDateTime',
              'fast-xml-builder',
              'saxes',
              'fast-check',
              'jose',
              'standardwebhooks',
              'uuid',
            ],
          },
        },
      },
    },
  };
}

/**
 * Three projects: `rules` runs pure code in Node; `worker` runs everything else inside workerd, with real D1,
 * Durable Objects and assets, in the long form a second time as `store`; `service` starts the whole service as
 * `npm start` does, and kills it.
 */
export default defineConfig({
  test: {
    // Show the output of failing tests only.
    silent: 'passed-only',
    // test/support/long.ts reads this.
    provide: { long: isLong, loud: isLoud, seed, sample: isSample },
    sequence: { sequencer: InOrder },
    // More than the cores of a small machine, because some tests wait; each process takes seconds to import the Worker.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'rules',
          include: ['test/rules/**/*.test.ts'],
          setupFiles: ['test/support/everyFile.ts'],
          isolate: false,
          // By themselves, after the others: they never wait, and each process imports the same again.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 120_000,
        },
      },
      worker('worker'),
      ...(isLong ? [worker('store')] : []),
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          globalSetup: 'test/service/built.ts',
          // Files share their imports: wrangler alone takes two seconds.
          isolate: false,
          ...patience,
        },
      },
    ],
  },
});
