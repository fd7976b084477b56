import { callAsAdmin, forgetTokens, testEnv } from '../api.ts';
import { properties } from './properties.ts';
import type { Session } from './steps.ts';
import type { Story } from './story.ts';
import { START_MS } from './times.ts';

/** A story that has ended, of which the service does not know all yet. */
export interface Ended {
  readonly session: Session;
  readonly story: Story;
}

const DAY = 86_400_000;

/** The longest span that may be compared at once. */
const SPAN = 31 * DAY;

/** How often a comparison goes on that takes longer than a request. */
const MOST_REQUESTS = 200;

/**
 * Lets the service compare all that the acquirer moved, and holds the stories against what it learnt by that alone. Tells
 * what does not agree.
 */
export async function reconcileAll(ended: readonly Ended[]): Promise<string | null> {
  forgetTokens();
  const lastMs = Math.max(START_MS, ...ended.map(({ session }) => session.model.nowMs)) + DAY;
  for (const id of properties) {
    for (let fromMs = START_MS - DAY; fromMs < lastMs; fromMs += SPAN) {
      await compareSpan(id, fromMs, fromMs + SPAN);
    }
  }
  const last = new Map(ended.map(({ session, story }) => [story.propertyId, session.model.terms]));
  for (const { session, story } of ended) {
    await story.close(session, last.get(story.propertyId) ?? session.model.terms);
  }
  return wrongExceptions(ended);
}

async function compareSpan(property: string, fromMs: number, toMs: number): Promise<void> {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  for (let asked = 0; asked < MOST_REQUESTS; asked += 1) {
    const { json, status } = await callAsAdmin('/admin/v1/reconciliation/run', {
      property,
      from,
      to,
    });
    if (status === 200) return;
    if (status !== 503) throw new Error(`reconciliation: ${status} ${JSON.stringify(json)}`);
  }
  throw new Error('reconciliation without end');
}

/** An exception that is open. */
interface Found {
  readonly kind: string;
  readonly booking: string | null;
  /** What the acquirer has: an id, and an amount in minor units. */
  readonly id: string;
  readonly amount: number;
  readonly detail: string;
}

/**
 * What stays an exception, beside the charges that could not be asked for, which each story compares: what the acquirer's desk took for no booking, and movements that had been taken back before the
 * service learnt of them, so that they never counted here.
 */
async function wrongExceptions(ended: readonly Ended[]): Promise<string | null> {
  const { results } = await testEnv.DB.prepare(
    `SELECT kind, booking_reference AS booking, theirs ->> '$.id' AS id, theirs ->> '$.amountMinor' AS amount, detail
     FROM exceptions WHERE status = 'open' AND NOT (kind = 'state_differs' AND theirs IS NULL)`,
  ).all<Found>();
  const strays = results.filter(
    ({ booking, kind }) => booking === null && kind === 'unknown_payment',
  );
  const others = Map.groupBy(
    results.filter((found) => !strays.includes(found)),
    ({ id, kind }) => `${kind} ${id}`,
  );
  const counted = [...others.values()].filter(
    (found) => found.reduce((sum, { amount }) => sum + amount, 0) !== 0,
  );
  if (counted.length > 0) return `exceptions: ${JSON.stringify(counted)}`;
  const right = ended.reduce((sum, { session }) => sum + session.model.strays, 0);
  return strays.length === right ? null : `${strays.length} payments of no booking, not ${right}`;
}
