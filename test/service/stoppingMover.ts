/**
 * The service, whose mover stops for good after a batch that it has not stopped after in an earlier process: after the
 * first, fourth, sixteenth … of its kind that the process made. Then it can be killed at that boundary of a move, and no other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import service from '../../src/index.ts';
import { PropertyMover as Mover } from '../../src/moves/object.ts';
import type { Env } from '../../src/platform/env.ts';

// biome-ignore lint/performance/noBarrelFile: a Worker's entry has to export the classes of its objects.
// biome-ignore lint/performance/noReExportAll: all of them, whichever there are.
export * from '../../src/index.ts';

/** A statement of D1's binding, by the binding's own names of what it was prepared and bound with. */
interface Bound {
  readonly statement: string;
  readonly params: readonly unknown[];
}

/** The kinds of a mover's batches that write, each by the first that fits. */
const KINDS: readonly (readonly [kind: string, fits: (bound: Bound) => boolean])[] = [
  ...['leaving', 'arriving', 'frozen', 'left', 'switching', 'moved'].map(
    (state) => [state, ({ params }: Bound) => params.includes(state)] as const,
  ),
  ['home', ({ statement }) => /insert into "homes"/i.test(statement)],
  ['forgotten', ({ statement }) => /delete from "moving_properties"/i.test(statement)],
  ['copied', ({ statement }) => statement.startsWith('INSERT INTO ')],
  ['deleted', ({ statement }) => statement.startsWith('DELETE FROM ')],
  ['counted', ({ statement }) => /^update "moves"/i.test(statement)],
  ['others', ({ statement }) => !/^select\b/i.test(statement)],
];

/** After which of its kind the mover stops: first ones, and ever rarer later ones. */
const isStop = (number: number) => Number.isInteger(Math.log2(number) / 2);

const moving = new AsyncLocalStorage<ReadonlySet<string>>();

/** The batch after which the mover stopped. */
let stopped: string | null = null;

/** How many batches of each kind the process made for the move that is under way. */
const made = new Map<string, number>();

/** The boundary after a batch that was just made; null if it is none. */
function boundaryAfter(statements: readonly Bound[]): string | null {
  const found = KINDS.find(([, fits]) => statements.some(fits))?.[0];
  if (found === undefined) return null;
  const kind = found === 'copied' && made.has('frozen') ? 'copied at last' : found;
  const number = (made.get(kind) ?? 0) + 1;
  if (kind === 'moved') made.clear();
  else made.set(kind, number);
  return isStop(number) ? `${kind} ${number}` : null;
}

function stopsAfter(env: Env): void {
  const d1 = Object.getPrototypeOf(env.DB) as D1Database;
  const batch = d1.batch;
  d1.batch = async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    const results = (await batch.call(this, statements)) as D1Result<T>[];
    const passed = moving.getStore();
    const bound = statements as unknown as Bound[];
    const boundary = passed && boundaryAfter(bound);
    if (!boundary || passed.has(boundary)) return results;
    stopped = boundary;
    return new Promise<never>(() => undefined);
  };
}

let isStopping = false;

export class PropertyMover extends Mover {
  readonly #passed: ReadonlySet<string>;

  constructor(ctx: DurableObjectState, env: Env & { readonly PASSED?: string }) {
    super(ctx, env);
    this.#passed = new Set(env.PASSED?.split(','));
    if (!isStopping) stopsAfter(env);
    isStopping = true;
  }

  override async alarm(): Promise<void> {
    await moving.run(this.#passed, () => super.alarm());
  }
}

export default {
  ...service,
  fetch: (request, env, context) =>
    new URL(request.url).pathname === '/stopped'
      ? Response.json({ stopped })
      : service.fetch(request, env, context),
} satisfies typeof service;
