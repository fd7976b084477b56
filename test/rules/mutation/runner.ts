/**
 * Runs the rules' tests for `npm run mutate`. After each test it turns the changes of the source on that the test came by,
 * one at a time, and plays the test again: does it fail? All happens in one process, so that a change costs no more than
 * the tests that it concerns.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { OUTCOMES_FILE, type Outcomes, readOutcomes } from '../../../scripts/mutation/outcomes.ts';

/** How often a change may be passed more than without it: a loop that it makes endless ends so. */
const MOST_TIMES = 100;

/** What the changed source reads and writes. */
interface Switch {
  /** The change that is on. */
  activeMutant?: string | undefined;
  /** How often the source passed it, and how often it may. */
  hitCount?: number | undefined;
  hitLimit?: number;
  /** The test that is counted for. */
  currentTestId?: string | undefined;
  /** How often each test, and what runs when a module is loaded, passed each change. */
  mutantCoverage?: {
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
    readonly static: Readonly<Record<string, number>>;
  };
}

const changes: Switch = {};
Object.assign(globalThis, { __stryker__: changes });

export default class MutationRunner extends TestRunner {
  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test);
    changes.currentTestId = test.id;
  }

  override onAfterTryTask(test: RunnerTestCase): void {
    changes.currentTestId = undefined;
    super.onAfterTryTask(test);
  }

  /** Is called after a test and all its hooks. */
  async onAfterRetryTask(test: RunnerTestCase): Promise<void> {
    if (test.result?.state !== 'pass') return;
    if (await this.#play(test)) await this.#tryChanges(test);
    else leftOut(test, 'it does not pass twice');
  }

  /** Tries the changes that a test came by, but for those that another one noticed. */
  async #tryChanges(test: RunnerTestCase): Promise<void> {
    const { perTest = {}, static: atLoad = {} } = changes.mutantCoverage ?? {};
    const passed = Object.entries(perTest[test.id] ?? {});
    record('loaded', Object.keys(atLoad));
    record(
      'tried',
      passed.map(([change]) => change),
    );
    // All processes write there: what another one noticed is not tried again.
    const { noticed } = readOutcomes(readFileSync(OUTCOMES_FILE, 'utf8'));
    for (const [change, times] of passed) {
      if (noticed.has(change)) continue;
      changes.activeMutant = change;
      changes.hitCount = 0;
      changes.hitLimit = MOST_TIMES * (times + 10);
      const passes = await this.#play(test);
      changes.activeMutant = undefined;
      changes.hitCount = undefined;
      if (passes) continue;
      record('noticed', [change]);
      // A change may leave something behind in the memory of a module, by which all that follow would seem noticed.
      if (!(await this.#play(test))) return leftOut(test, 'it does not pass after a change');
    }
  }

  /** Plays a test once more, with the hooks around it. Returns whether it passes. */
  async #play(test: RunnerTestCase): Promise<boolean> {
    const suites = suitesOf(test);
    const around = (hook: 'beforeEach' | 'afterEach') =>
      suites.flatMap((suite) =>
        TestRunner.getSuiteHooks(suite)[hook].map((run) => () => run(test.context, suite)),
      );
    super.onBeforeTryTask(test);
    try {
      for (const run of around('beforeEach')) await run();
      await TestRunner.getTestFn(test)();
      super.onAfterTryTask(test);
      return true;
    } catch {
      return false;
    } finally {
      for (const run of around('afterEach')) await run();
    }
  }
}

/** The suites that a test is in, the outermost first. */
function suitesOf(test: RunnerTestCase): readonly RunnerTestSuite[] {
  const chain: RunnerTestSuite[] = [test.file];
  for (let { suite } = test; suite && suite !== test.file; suite = suite.suite) {
    chain.splice(1, 0, suite);
  }
  return chain;
}

function leftOut({ name }: RunnerTestCase, why: string): void {
  console.log(`Left out, because ${why}: ${name}`);
}

/** What this process recorded. */
const recorded = new Set<string>();

function record(word: keyof Outcomes, ids: readonly string[]): void {
  const lines = ids.map((id) => `${word} ${id}\n`).filter((line) => !recorded.has(line));
  for (const line of lines) recorded.add(line);
  appendFileSync(OUTCOMES_FILE, lines.join(''));
}
