import * as fc from 'fast-check';
import { setClock } from './clock.ts';
import { type Counts, stories } from './commands.ts';
import { anyTerms, total } from './drafts.ts';
import { properties } from './properties.ts';
import { type Ended, reconcileAll } from './reconciled.ts';
import type { BookingModel } from './state.ts';
import type { Session } from './steps.ts';
import { Story } from './story.ts';
import { START_MS } from './times.ts';

/** The most commands of one story; the booking has nothing for a third of those drawn. */
const LONGEST = 140;

/** How long a counterexample is made smaller; what there is by then is shown. */
const SHRINKING_MS = 60_000;

export interface Played {
  readonly counts: Counts;
  /** Which ways payments and refunds went, from state to state, and how many did. */
  readonly ways: Counts;
  /** What went wrong, with the seed and the smallest sequence that shows it; null when nothing did. */
  readonly failure: string | null;
}

/** Plays stories, many at once, until so many commands ran; `onProgress` is told the sum after each seed. */
export async function play(
  firstSeed: number,
  commands: number,
  onProgress: (done: number) => void,
): Promise<Played> {
  const counts: Counts = {};
  const ended: Ended[] = [];
  let failure: string | null = null;
  let story = 0;
  const player = async (propertyId: string) => {
    while (failure === null && sumOf(counts) < commands) {
      const seed = seedOf(firstSeed, story);
      story += 1;
      const failed = await playSeed({ seed, propertyId, counts, ended });
      // Only now: another player may have failed meanwhile.
      failure ??= failed;
      onProgress(sumOf(counts));
    }
  };
  const players = properties.slice(0, Math.ceil(commands / LONGEST));
  await Promise.all(players.map(player));
  failure ??= await reconcileAll(ended);
  const ways: Counts = {};
  for (const { session } of ended) noteWays(session.model, ways);
  return { counts, ways, failure };
}

/** The first story has the seed itself, so that a failure can be played again; neighbouring seeds would draw alike. */
function seedOf(firstSeed: number, story: number): number {
  if (story === 0) return firstSeed;
  const mixed = Math.imul(firstSeed ^ Math.imul(story, 0x9e3779b1), 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 0;
}

export function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** One story among those that are played at the same time, each at a property of its own. */
interface ToPlay {
  readonly seed: number;
  readonly propertyId: string;
  readonly counts: Counts;
  readonly ended: Ended[];
}

async function playSeed({ seed, propertyId, counts, ended }: ToPlay): Promise<string | null> {
  const property = fc.asyncProperty(
    anyTerms,
    total,
    stories(LONGEST, counts),
    // What is not told by the end of a story is left to the reconciliation of all.
    fc.boolean(),
    async (terms, totalMinor, commands, told) => {
      const { session, story } = begin(propertyId, terms);
      await story.tell(session, [
        { step: 'do', operation: { do: 'save', status: 'booked', totalMinor } },
        { step: 'do', operation: { do: 'set', terms } },
        // The story before, if it failed, may have left one.
        { step: 'do', operation: { do: 'outage', outage: null } },
      ]);
      await fc.asyncModelRun(() => ({ model: session, real: story }), commands);
      await story.end(session, told);
      ended.push({ session, story });
    },
  );
  // Unbiased, else stories would be short: the drafts draw their edge cases themselves.
  const once = { seed, numRuns: 1, unbiased: true };
  // Without a limit of time: a story that is cut off would look like one that agreed.
  const first = await fc.check(property, { ...once, endOnFailure: true });
  if (!first.failed) return null;
  const shrunk = await fc.check(property, { ...once, interruptAfterTimeLimit: SHRINKING_MS });
  // A second play that is cut off before it fails says nothing.
  const details = shrunk.counterexample === null ? first : shrunk;
  const { errorInstance } = details;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const report = fc.defaultReportMessage(details);
  return `MODEL_SEED=${seed} MODEL_COMMANDS=1 plays it again.\n${report}\n${why}\n${difference(errorInstance)}`;
}

function noteWays(model: BookingModel, ways: Counts): void {
  const trails = [
    ...model.payments.map(({ kind, trail }) => `${kind}: ${trail.join(' → ')}`),
    ...model.refunds.map(({ trail }) => `refund: ${trail.join(' → ')}`),
  ];
  for (const trail of trails) ways[trail] = (ways[trail] ?? 0) + 1;
}

/** Where an assertion of vitest's found something else than it looked for. */
function difference(error: unknown): string {
  if (!(error instanceof Error) || !('actual' in error && 'expected' in error)) return '';
  return differences('', error.actual, error.expected).join('\n');
}

function differences(path: string, seen: unknown, right: unknown): string[] {
  if (!isNested(seen) || !isNested(right)) {
    const same = JSON.stringify(seen) === JSON.stringify(right);
    return same ? [] : [`${path}: ${JSON.stringify(seen)}, right is ${JSON.stringify(right)}`];
  }
  const names = new Set([...Object.keys(seen), ...Object.keys(right)]);
  return [...names].flatMap((name) => differences(`${path}/${name}`, seen[name], right[name]));
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

let bookings = 0;

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

function begin(propertyId: string, terms: BookingModel['terms']) {
  bookings += 1;
  const reference = `M-${bookings}`;
  const own = hex(bookings, 12);
  let made = 0;
  const fresh = () => {
    made += 1;
    // Rules that draw by a reference's digits must see different ones.
    const mixed = Math.imul(made, 0x9e3779b1) >>> 0;
    return `${hex(mixed, 8)}${own}${hex(made, 12)}`;
  };
  const model: BookingModel = {
    nowMs: START_MS,
    terms,
    status: 'booked',
    totalMinor: 0,
    knownTotalMinor: 0,
    saves: 0,
    version: 0,
    quotes: {},
    quotesUsed: [],
    cancelledAtSave: null,
    cards: [],
    inUse: null,
    payments: [],
    refunds: [],
    disputes: [],
    recoveries: [],
    outage: null,
    keys: {},
    effects: [],
    lost: [],
    retried: {},
    onTheWay: {},
    untold: [],
    strays: 0,
    wasRestored: false,
  };
  setClock(propertyId, reference, model.nowMs);
  const session: Session = { model, keyed: [], fresh };
  return { session, story: new Story({ propertyId, reference }) };
}
