import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import { readAsset } from '../../platform/assets.ts';
import type { Env } from '../../platform/env.ts';

/** The files of `examples`. */
export interface Examples {
  /** What a service answered and sent: of each operation, type of event and type of message to a PMS, one. */
  readonly recorded: {
    readonly answers: Readonly<Record<string, unknown>>;
    readonly events: Readonly<Record<string, unknown>>;
    readonly messages: Readonly<Record<string, { message: unknown; reply: unknown } | undefined>>;
  };
  /** Of each operation that takes a body, one. */
  readonly requests: Readonly<Record<string, object>>;
}

/** Reads the examples from the static assets. Throws when they cannot be had. */
export async function readExamples(env: Pick<Env, 'ASSETS'>): Promise<Examples> {
  const [recorded, requests] = await Promise.all(
    ['recorded', 'requests'].map((name) => readAsset(env, `/examples/${name}.json`)),
  );
  return { recorded, requests } as Examples;
}

/** Times in the requests: `{hours:24}`, `{day:30}`, `{dayFirst:30}` and `{year:3}` are so far ahead. */
const AHEAD = /\{(hours|day|dayFirst|year):(-?\d+)\}/g;

/** The example of an operation's request, which the service reads as it stands; undefined without one. */
export function exampleRequest(
  { requests }: Pick<Examples, 'requests'>,
  path: string,
  nowMs: number,
): unknown {
  const text = JSON.stringify(requests[path])?.replace(AHEAD, (_, unit: string, count: string) =>
    timeAhead(unit, Number(count), nowMs),
  );
  return text === undefined ? undefined : JSON.parse(text);
}

function timeAhead(unit: string, count: number, nowMs: number): string {
  const day = new Date(nowMs + count * DAY_MS).toISOString().slice(0, 10);
  switch (unit) {
    case 'hours':
      return new Date(nowMs + count * HOUR_MS).toISOString();
    case 'day':
      return day;
    case 'dayFirst':
      return day.split('-').toReversed().join('-');
    default:
      return String(new Date(nowMs).getUTCFullYear() + count);
  }
}
