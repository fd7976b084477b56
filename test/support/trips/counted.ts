/** The trips to D1 of one operation, as the table of docs/scale.md shows them. */
import { markdown } from '../costTables.ts';
import { type Used, used } from '../counting.ts';
import { setClock } from './bookings.ts';
import type { Operation } from './operations.ts';
import { enter, knowClient, type Receivers, type State, states } from './state.ts';

/** What an operation took until its answer, by what was in memory, and what was done behind it. */
export interface Trips extends Readonly<Record<State, Used>> {
  readonly behind: Used;
}

/** Counts an operation in each state, on a booking of its own. */
export async function tripsOf(
  operation: Operation,
  nameOf: (state: State) => string,
  receivers: Receivers,
): Promise<Trips> {
  const counted: Partial<Record<State, Used>> = {};
  let behind: Used | null = null;
  for (const state of states) {
    await knowClient();
    const run = await operation(nameOf(state));
    await receivers.tellAll();
    // A notification that ended with its object, when the runtime put that to rest, covers what comes in its 20 ms.
    setClock(Date.now() + 25);
    await enter(state);
    counted[state] = await used(run);
    const left = await used(() => receivers.tellAll());
    behind ??= left;
  }
  return { ...(counted as Record<State, Used>), behind: behind as Used };
}

/** The table of all operations; what is not used is left blank. */
export function tripsTable(counted: ReadonlyMap<string, Trips>): string {
  const rows = [...counted].map(([name, { warm, cold, allCold, behind }]) => {
    const numbers = [
      warm.d1,
      cold.d1,
      allCold.d1,
      behind.d1,
      warm.mailerCalls + behind.mailerCalls,
      warm.rowsRead,
      warm.rowsWritten,
    ];
    return [name, ...numbers.map((number) => (number === 0 ? '' : String(number)))];
  });
  return markdown(HEAD, rows);
}

/** What the table's columns are called. */
const HEAD = [
  'round trips of',
  'warm',
  'cold',
  'cold all',
  'behind',
  'mailer calls',
  'rows read',
  'rows written',
];
