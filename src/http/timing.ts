import type { Cost } from '../io/crossings.ts';

/** The `Server-Timing` header: round trips to D1, gateway calls, object hops and the total, in milliseconds. */
export function serverTiming(cost: Cost, totalMs: number): string {
  const { d1, gateway, object } = cost;
  return [
    `d1;desc="${d1.calls}";dur=${d1.ms}`,
    `gateway;desc="${gateway.calls}";dur=${gateway.ms}`,
    `object;desc="${object.calls}";dur=${object.ms}`,
    `total;dur=${totalMs}`,
  ].join(', ');
}
