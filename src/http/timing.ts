import type { Cost } from '../platform/trace.ts';

/** The `Server-Timing` header: calls and milliseconds of D1, the gateway and Durable Objects, and the total. */
export function serverTiming(cost: Cost, totalMs: number): string {
  const { d1, gateway, object } = cost;
  return [
    `d1;desc="${d1.calls}";dur=${d1.ms}`,
    `gateway;desc="${gateway.calls}";dur=${gateway.ms}`,
    `object;desc="${object.calls}";dur=${object.ms}`,
    `total;dur=${totalMs}`,
  ].join(', ');
}
