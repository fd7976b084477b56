import recordings from '../../../examples/recorded.json' with { type: 'json' };
import requests from '../../../examples/requests.json' with { type: 'json' };
import { DAY_MS, HOUR_MS } from '../../core/time.ts';

/** What a service answered and sent: of each operation, type of event and type of message to a PMS, one. */
export const recorded: {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, unknown>>;
  readonly messages: Readonly<Record<string, { message: unknown; reply: unknown } | undefined>>;
} = recordings;

/** Times in the requests: `{hours:24}`, `{day:30}`, `{dayFirst:30}` and `{year:3}` are so far ahead. */
const AHEAD = /\{(hours|day|dayFirst|year):(-?\d+)\}/g;

/** The example of an operation's request, which the service reads as it stands; undefined without one. */
export function exampleRequest(path: string, nowMs: number): unknown {
  const request = (requests as Readonly<Record<string, object>>)[path];
  const text = JSON.stringify(request)?.replace(AHEAD, (_, unit: string, count: string) =>
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
