/** Counts what really reaches the platform, below the service's own accounting. */
import { runInDurableObject } from 'cloudflare:test';
import { BookingObject } from '../../src/booking/object.ts';
import { Dispatcher } from '../../src/delivery/object.ts';
import { ExportObject } from '../../src/exports/object.ts';
import { MailDispatcher } from '../../src/mails/object.ts';
import { SandboxAcquirer } from '../../src/sandbox/acquirer/acquirer.ts';
import { sandboxAcquirer } from '../../src/sandbox/stub.ts';
import { Sweeper } from '../../src/sweeps/object.ts';
import { requestsMade, testEnv } from './api.ts';

/** What something used. */
export interface Used {
  /** Requests to the Worker over HTTP. */
  requests: number;
  /** Round trips to D1. */
  d1: number;
  /** Rows as D1's own `meta` counts them, with the entries of indexes. */
  rowsRead: number;
  rowsWritten: number;
  /** Calls of booking objects. */
  objectHops: number;
  /** Calls of mailers. */
  mailerCalls: number;
  /** Calls and alarms of every object of this service; the sandbox acquirer stands for a gateway elsewhere. */
  objectRequests: number;
  /** Rows of the objects' own storage: keys put or deleted, alarms set or taken off. */
  objectRows: number;
  /** Requests to the acquirer. */
  gatewayCalls: number;
  /** R2 operations that write or list, and those that read; deleting is free and not counted. */
  r2ClassA: number;
  r2ClassB: number;
  /** Requests to elsewhere. */
  fetches: number;
}

/** The calls and alarms that {@link Used.objectRequests} counts, such as `ExportObject.alarm`. */
interface Told {
  readonly objectCalls: readonly string[];
}

/** Runs something and counts what it used. */
export async function used(run: () => Promise<unknown>): Promise<Used & Told> {
  const requestsBefore = requestsMade();
  const count = nothing();
  const objectCalls: string[] = [];
  const restorers = [
    ...d1Counters(count),
    ...objectCounters(count, objectCalls),
    ...storageCounters(count, await storagePrototype()),
    ...r2Counters(count),
    fetchCounter(count),
  ];
  try {
    await run();
  } finally {
    for (const restore of restorers.toReversed()) restore();
  }
  return { ...count, requests: requestsMade() - requestsBefore, objectCalls };
}

/** An account without entries. */
function nothing(): Used {
  return {
    requests: 0,
    d1: 0,
    rowsRead: 0,
    rowsWritten: 0,
    objectHops: 0,
    mailerCalls: 0,
    objectRequests: 0,
    objectRows: 0,
    gatewayCalls: 0,
    r2ClassA: 0,
    r2ClassB: 0,
    fetches: 0,
  };
}

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Restore = () => void;

/** Has a method noted, with its arguments, whenever it is called; gives back what ends that. */
function counting(target: object, name: string, note: (values: unknown[]) => void): Restore {
  const methods = target as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (this: unknown, ...values) {
    note(values);
    return original.apply(this, values);
  };
  return () => {
    methods[name] = original;
  };
}

/** The service asks D1 in batches only; whatever else asks is counted as a round trip, without its rows. */
function d1Counters(count: Used): Restore[] {
  const database = Object.getPrototypeOf(testEnv.DB) as D1Database;
  const statement = Object.getPrototypeOf(testEnv.DB.prepare('SELECT 1')) as object;
  const roundTrip = () => (count.d1 += 1);
  return [
    ...['all', 'run', 'raw', 'first'].map((name) => counting(statement, name, roundTrip)),
    batchCounter(count, database),
  ];
}

function batchCounter(count: Used, database: D1Database): Restore {
  const original = database.batch;
  database.batch = async function <T>(this: D1Database, statements: D1PreparedStatement[]) {
    count.d1 += 1;
    const results = await original.call<
      D1Database,
      [D1PreparedStatement[]],
      Promise<D1Result<T>[]>
    >(this, statements);
    count.rowsRead += results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
    count.rowsWritten += results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    return results;
  };
  return () => {
    database.batch = original;
  };
}

/** What others call of an object: all its public methods but the clock and the alarm. */
function callsOf(prototype: object): string[] {
  const own = Object.getOwnPropertyNames(prototype);
  return own.filter((name) => !['constructor', 'alarm', 'now'].includes(name));
}

/** The same and its alarm, if it has one. */
function requestsOf(prototype: object): string[] {
  return [...callsOf(prototype), ...('alarm' in prototype ? ['alarm'] : [])];
}

function objectCounters(count: Used, calls: string[]): Restore[] {
  const bookings = BookingObject.prototype;
  const hop = () => (count.objectHops += 1);
  const ask = () => (count.gatewayCalls += 1);
  const mailers = MailDispatcher.prototype;
  const tell = () => (count.mailerCalls += 1);
  const others = [Dispatcher.prototype, ExportObject.prototype, Sweeper.prototype];
  const own = [bookings, mailers, ...others];
  return [
    ...own.flatMap((prototype) =>
      requestsOf(prototype).map((name) =>
        counting(prototype, name, () => {
          count.objectRequests += 1;
          calls.push(`${prototype.constructor.name}.${name}`);
        }),
      ),
    ),
    ...callsOf(bookings).map((name) => counting(bookings, name, hop)),
    ...callsOf(mailers).map((name) => counting(mailers, name, tell)),
    ...callsOf(SandboxAcquirer.prototype).map((name) =>
      counting(SandboxAcquirer.prototype, name, ask),
    ),
  ];
}

/** What all objects' storages have in common, as any object shows it. */
function storagePrototype(): Promise<object> {
  return runInDurableObject(
    sandboxAcquirer(testEnv),
    (_, { storage }) => Object.getPrototypeOf(storage) as object,
  );
}

function storageCounters(count: Used, storage: object): Restore[] {
  const row = () => (count.objectRows += 1);
  const put = ([what]: unknown[]) => {
    count.objectRows += typeof what === 'string' ? 1 : Object.keys(what as object).length;
  };
  return [
    counting(storage, 'put', put),
    ...['delete', 'deleteAll', 'setAlarm', 'deleteAlarm'].map((name) =>
      counting(storage, name, row),
    ),
  ];
}

function r2Counters(count: Used): Restore[] {
  const bucket = Object.getPrototypeOf(testEnv.EXPORTS) as object;
  const upload = Object.getPrototypeOf(
    testEnv.EXPORTS.resumeMultipartUpload('none', 'none'),
  ) as object;
  const classA = () => (count.r2ClassA += 1);
  const classB = () => (count.r2ClassB += 1);
  return [
    ...['put', 'list', 'createMultipartUpload'].map((name) => counting(bucket, name, classA)),
    ...['uploadPart', 'complete'].map((name) => counting(upload, name, classA)),
    ...['get', 'head'].map((name) => counting(bucket, name, classB)),
  ];
}

function fetchCounter(count: Used): Restore {
  return counting(globalThis, 'fetch', () => (count.fetches += 1));
}
