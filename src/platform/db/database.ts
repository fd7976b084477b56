import { inArray, type Query } from 'drizzle-orm';
import type { BatchResponse } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { SECOND_MS } from '../../core/time.ts';
import { withTimeout } from '../../core/timeout.ts';
import { movingProperties } from '../../schema/homeTables.ts';
import type { Env } from '../env.ts';
import { fewAtOnce } from '../fewAtOnce.ts';
import { logError } from '../log.ts';
import type { SpanName, Trace } from '../trace.ts';
import {
  certainlyRefused,
  DatabaseOverloaded,
  DatabaseUnavailable,
  wasOverloaded,
} from './errors.ts';
import { type RunBatch, runAtHome } from './home.ts';
import { bytesOf, onD1, type Runner, type Runners, runnersOf } from './runner.ts';

export type D1Span = Extract<SpanName, `d1.${string}`>;

/** How long what is read from all databases waits for one of them: a database that is away may not even refuse. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;

/** Builds statements. Only {@link Database.batch} runs them, so it belongs to no database. */
export const queries = drizzle({ prepare: () => null } as unknown as D1Database);

/** A statement for a batch: a drizzle query, or a prepared statement with its values. */
export interface Statement {
  /** The type of the result; drizzle has no such value at run time. */
  readonly _: { readonly dialect: 'sqlite'; readonly result: unknown };
  prepare(): PreparedQuery;
}

/** A statement that finds such rows. */
export interface Finds<Row> extends Statement {
  readonly _: Statement['_'] & { readonly result: Row[] };
}

/** The SQL of a statement, its values, and the mapping of its rows. */
interface PreparedQuery {
  getQuery(): Query;
  mapResult(response: unknown, isFromBatch?: boolean): unknown;
}

/** One of a deployment's databases. */
export interface NamedDatabase extends Pick<Runner, 'name' | 'number' | 'takesNew'> {
  readonly database: Database;
}

type RowsOf<S extends Statement> = S['_']['result'] extends readonly (infer Row)[] ? Row[] : never;

/** Rows of a property that stand in D1 only within a batch: `before` puts them there, `after` takes them away again. */
interface Around {
  readonly propertyId: string;
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
}

/** A batch that writes found its rows in the archive: they have to be brought back first. */
export class WritesArchived extends Error {
  constructor() {
    super('a batch writes what is archived');
  }
}

/** Where a database's batches run: at one of the databases, or wherever a property lives. */
type Place = { readonly at: Runner } | { readonly home: string; readonly isPatient?: boolean };

/** What a {@link Database} shows of the deployment's databases. */
interface View {
  readonly place: Place;
  readonly around: Around | null;
  readonly only: string | null;
}

/**
 * D1, the source of truth: one database or many. Every call is one batch: one round trip, one transaction, one span. In every
 * table money is integer minor units of the row's currency, instants are milliseconds since 1970 (`…AtMs`), dates
 * `YYYY-MM-DD`. Every row names its property, and every query filters by it.
 *
 * As it is opened it is the directory, which has what belongs to no property; {@link Database.of} leads to what does
 * (parts: Many databases).
 */
export class Database {
  readonly #runners: Runners;
  readonly #trace: Trace;
  readonly #onWrite: () => void;
  readonly #place: Place;
  readonly #around: Around | null;
  /** The one database that {@link Database.each} has; null for all. */
  readonly #only: string | null;

  /** Calls `onWrite` before each batch that writes. */
  constructor(
    runners: Runners | D1Database,
    trace: Trace,
    onWrite = () => {},
    { place, around = null, only = null }: Partial<View> = {},
  ) {
    this.#runners = isRunners(runners) ? runners : [onD1('DB', 0, runners)];
    this.#trace = trace;
    this.#onWrite = onWrite;
    this.#place = place ?? { at: this.#runners[0] };
    this.#around = around;
    this.#only = only;
  }

  /** The database that has what belongs to no property. */
  get directory(): Database {
    return this.#placed({ at: this.#runners[0] });
  }

  /** Whether there is more than one database. */
  get isMany(): boolean {
    return this.#runners.length > 1;
  }

  /** What belongs to a property, in whichever database that lives. */
  of(propertyId: string): Database {
    return this.isMany ? this.#placed({ home: propertyId }) : this;
  }

  /** The same, for what has done something that is to be recorded: its writes wait for the last step of a move. */
  get patient(): Database {
    const place = this.#place;
    return 'home' in place ? this.#placed({ ...place, isPatient: true }) : this;
  }

  /**
   * Each of the databases, by name: for what is done for all of its properties. Whatever it writes of a property, it writes
   * by {@link Database.of}, which knows whether that lives there.
   */
  get each(): readonly [NamedDatabase, ...NamedDatabase[]] {
    const named = (at: Runner) => {
      const { name, number, takesNew } = at;
      return { name, number, takesNew, database: this.#placed({ at }) };
    };
    const [first, ...others] = this.#runners;
    const only =
      this.#only === null ? undefined : this.#runners.find((one) => one.name === this.#only);
    return only ? [named(only)] : [named(first), ...others.map(named)];
  }

  /** The same, of which {@link Database.each} has only one: for a sweeper, which looks after that one. Without a name, all. */
  limitedTo(name: string | undefined): Database {
    if (name === undefined) return this;
    if (this.#runners.every((one) => one.name !== name)) throw new Error(`no database ${name}`);
    return this.#seen({ only: name });
  }

  #placed(place: Place): Database {
    return this.#seen({ place });
  }

  #seen(other: Partial<View>): Database {
    const seen = { place: this.#place, around: this.#around, only: this.#only, ...other };
    return new Database(this.#runners, this.#trace, this.#onWrite, seen);
  }

  /**
   * The same database as if some more rows of a property stood in it: each batch puts them there and takes them away again,
   * in its own transaction, so that nobody else sees them. A batch that writes throws {@link WritesArchived}.
   */
  with(around: Around): Database {
    return this.#seen({ around });
  }

  /** The rows that stand around a batch here. */
  #aroundHere(): Around | null {
    const isHere =
      !this.isMany || ('home' in this.#place && this.#place.home === this.#around?.propertyId);
    return isHere ? this.#around : null;
  }

  /**
   * Runs statements as one transaction in one round trip. Throws a constraint error of SQLite unchanged: nothing was
   * written, and {@link DatabaseOverloaded} where D1 refused the batch before it ran. Throws {@link DatabaseUnavailable}
   * for every other error: D1 may have committed the batch. A batch that writes counts as recorded, unless it was refused.
   */
  async batch<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>> {
    return this.#batch(span, statements, () => undefined);
  }

  async #batch<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
    seen: (responses: readonly unknown[]) => void,
  ): Promise<BatchResponse<Batch>> {
    const trace = this.#trace;
    const prepared = statements.map((statement) => statement.prepare());
    const writes = !prepared.every(onlyReads);
    const mayWait = trace.mayBeRecorded;
    const around = this.#aroundHere();
    if (around) return this.#among(around, span, statements);
    if (writes) {
      trace.writeSent();
      this.#onWrite();
    }
    try {
      const responses = await this.#run({ span, queries: queriesOf(prepared), writes, mayWait });
      seen(responses);
      return mapped(prepared, responses) as BatchResponse<Batch>;
    } catch (error) {
      const isOverload = error instanceof DatabaseOverloaded || wasOverloaded(error);
      if (!isOverload && !certainlyRefused(error)) throw new DatabaseUnavailable(error);
      if (writes) trace.writeRefused();
      if (!isOverload || error instanceof DatabaseOverloaded) throw error;
      throw new DatabaseOverloaded(error);
    }
  }

  /** What something finds in each of the databases, the directory first; a few are asked at once. */
  ofEach<Found>(find: (one: NamedDatabase) => Promise<Found>): Promise<Found[]> {
    return fewAtOnce(this.each, find);
  }

  /**
   * The same for what no database may hold up: one that fails is logged and left out. Throws where all fail.
   */
  async ofAnswering<Found>(find: (one: NamedDatabase) => Promise<Found>): Promise<Found[]> {
    const failures: unknown[] = [];
    const found = await this.ofEach(async (one) => {
      try {
        return [await find(one)];
      } catch (error) {
        if (this.each.length > 1) logError('database_failed', error, { database: one.name });
        failures.push(error);
        return [];
      }
    });
    if (failures.length === found.length) throw failures[0];
    return found.flat();
  }

  /**
   * The names of the databases that are not among those that answered. Throws {@link DatabaseUnavailable} where the directory
   * is one of them: without it there is nothing to say of the others.
   */
  awayFrom(answered: readonly { readonly name: string }[]): string[] {
    const names = new Set(answered.map(({ name }) => name));
    const away = this.each.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    if (away[0] === this.each[0].name) throw new DatabaseUnavailable(new Error('it is away'));
    return away;
  }

  /**
   * Reads from every database, and returns what each has, the directory first. Rows of a property that is only
   * coming to a database, or has left it, are left out: they have a `propertyId`, or are the property's own. One round
   * trip to each.
   */
  everywhere<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>[]> {
    return this.ofEach(({ database }) => database.#ofPresent(span, statements));
  }

  /** The same from those that answer, as {@link Database.ofAnswering} has it. */
  everyAnswering<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>[]> {
    return this.ofAnswering(({ database }) => database.#ofPresent(span, statements));
  }

  /** Reads the rows of the properties that live in this database. */
  async #ofPresent<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>> {
    if (!this.isMany) return this.batch(span, statements);
    const all: readonly Statement[] = [selectAbsent(), ...statements];
    const results = await inTime(this.batch(span, all as [Statement, ...Statement[]]));
    return withoutAbsent(results as unknown[][]) as BatchResponse<Batch>;
  }

  /** The rows that a statement finds in any of the databases. One round trip to each. */
  async rowsAnywhere<S extends Statement>(span: D1Span, statement: S): Promise<RowsOf<S>> {
    const found = await this.everywhere(span, [statement]);
    return found.flat(2) as RowsOf<S>;
  }

  /** The first row that a statement finds in any of the databases. One that fails matters only where no other has it. */
  async rowAnywhere<S extends Statement>(
    span: D1Span,
    statement: S,
  ): Promise<RowsOf<S>[number] | undefined> {
    const rows = await this.rowsWhereFound(span, statement, async (found) => found);
    return rows[0];
  }

  /**
   * Those of the rows that a statement finds in any of the databases that are `chosen`. A database that fails matters only
   * where the others have none of these.
   */
  async rowsWhereFound<S extends Statement>(
    span: D1Span,
    statement: S,
    chosen: (rows: RowsOf<S>) => Promise<RowsOf<S>>,
  ): Promise<RowsOf<S>> {
    const failures: unknown[] = [];
    const found = await this.ofEach(({ database }) =>
      database.#ofPresent(span, [statement]).catch((error: unknown) => {
        failures.push(error);
        return [];
      }),
    );
    const rows = await chosen(found.flat(2) as RowsOf<S>);
    if (rows.length === 0 && failures.length > 0) throw failures[0];
    return rows;
  }

  /** Reads from the directory and of a property: in one round trip where there is one database, else from both at once. */
  async ofBoth<
    S extends Statement,
    Directory extends Readonly<[S, ...S[]]>,
    Home extends Readonly<[S, ...S[]]>,
  >(
    span: D1Span,
    directory: Directory,
    propertyId: string,
    home: Home,
  ): Promise<[BatchResponse<Directory>, BatchResponse<Home>]> {
    if (this.isMany) {
      const ofHome = this.of(propertyId).batch(span, home);
      return Promise.all([this.directory.batch(span, directory), ofHome]);
    }
    const all: readonly Statement[] = [...directory, ...home];
    const results: unknown[] = await this.batch(span, all as [Statement, ...Statement[]]);
    return [
      results.slice(0, directory.length) as BatchResponse<Directory>,
      results.slice(directory.length) as BatchResponse<Home>,
    ];
  }

  /** Reads, and says how many bytes the database has. For one of {@link Database.each}. */
  async measured<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    span: D1Span,
    statements: Batch,
  ): Promise<{ readonly results: BatchResponse<Batch>; readonly bytes: number }> {
    let bytes = 0;
    const measuring = (responses: readonly unknown[]) => {
      bytes = Math.max(0, ...responses.map(bytesOf));
    };
    const reading = this.#batch(span, statements, measuring);
    const results = await (this.isMany ? inTime(reading) : reading);
    return { results, bytes };
  }

  /** Runs a batch that reads among rows that stand in D1 only meanwhile. */
  async #among<S extends Statement, Batch extends Readonly<[S, ...S[]]>>(
    { after, before }: Around,
    span: D1Span,
    statements: Batch,
  ): Promise<BatchResponse<Batch>> {
    const prepared = statements.map((statement) => statement.prepare());
    if (!prepared.every(onlyReads)) throw new WritesArchived();
    const [first, last] = [before, after].map((some) => some.map((one) => one.prepare()));
    const all = [...(first ?? []), ...prepared, ...(last ?? [])];
    const sent = queriesOf(all);
    const batch = { span, queries: sent, writes: true, changesNothing: true, mayWait: false };
    try {
      const responses = await this.#run(batch);
      return mapped(prepared, responses.slice(before.length)) as BatchResponse<Batch>;
    } catch (error) {
      throw certainlyRefused(error) ? error : new DatabaseUnavailable(error);
    }
  }

  /** Like drizzle's own `batch`, which takes no prepared statements. */
  #run(batch: RunBatch & { readonly span: D1Span }): Promise<unknown[]> {
    const place = this.#place;
    const { queries: sent, span } = batch;
    if ('at' in place) return this.#trace.span(span, () => place.at.run(sent));
    const mayWait = batch.mayWait || place.isPatient === true;
    return runAtHome(this.#runners, place.home, { ...batch, mayWait }, (runner, guarded, name) =>
      this.#trace.span(name ?? span, () => runner.run(guarded)),
    );
  }
}

/** The databases of a deployment, as the directory. */
export function openDatabase(env: Env, trace: Trace, onWrite?: () => void): Database {
  return new Database(runnersOf(env), trace, onWrite);
}

/** What one of several databases answers. Throws {@link DatabaseUnavailable} where it takes too long. */
async function inTime<Answer>(reading: Promise<Answer>): Promise<Answer> {
  const late = Symbol('late');
  const answer = await withTimeout(reading, LONGEST_WAIT_MS, () => late);
  if (answer === late) throw new DatabaseUnavailable(new Error('it took too long'));
  return answer as Answer;
}

function isRunners(runners: Runners | D1Database): runners is Runners {
  return Array.isArray(runners);
}

function queriesOf(prepared: readonly PreparedQuery[]): Query[] {
  return prepared.map((query) => query.getQuery());
}

function mapped(prepared: readonly PreparedQuery[], responses: readonly unknown[]): unknown[] {
  return prepared.map((query, at) => query.mapResult(responses[at], true));
}

/** Selects the properties whose rows are in a database without living there. */
export function selectAbsent() {
  const { propertyId, state } = movingProperties;
  return queries
    .select({ propertyId })
    .from(movingProperties)
    .where(inArray(state, ['arriving', 'left']));
}

/** The results of a batch that began with {@link selectAbsent}, without the rows of these properties. */
function withoutAbsent([absent, ...results]: readonly unknown[][]): unknown[][] {
  const ids = new Set(absent?.map((row) => (row as { propertyId: unknown }).propertyId));
  if (ids.size === 0) return results;
  return results.map((rows) =>
    rows.filter((row) => {
      const { id, propertyId = id } = row as { id?: unknown; propertyId?: unknown };
      return !ids.has(propertyId);
    }),
  );
}

/** Whether a query only reads. Any query that does not begin with SELECT counts as a write. */
function onlyReads(query: PreparedQuery): boolean {
  return /^select\b/i.test(query.getQuery().sql);
}
