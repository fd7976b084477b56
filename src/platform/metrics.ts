import type { Cost } from './trace.ts';

export interface RequestSeen {
  readonly method: string;
  /** The pattern of the route, such as `/guest/v1/payments/:visit`, so that no link token is recorded. */
  readonly route: string;
  readonly status: number;
  /** The error code; null for a success. */
  readonly code: string | null;
  readonly property: string | null;
  readonly cost: Cost;
  readonly ms: number;
}

/** A gateway's answer to a money request. */
export interface OperationSeen {
  readonly property: string;
  readonly gateway: string;
  /** `charge`, `authorize`, `capture`, `release`, `expire` or `refund`. */
  readonly kind: string;
  /** `approved`, `declined`, `rejected`, `open` or `unknown`. */
  readonly outcome: string;
  readonly declineCode: string | null;
  readonly ms: number;
}

/**
 * Counts a request in Workers Analytics Engine: index property; blobs `request`, method, route, status, code; doubles
 * milliseconds, D1 round trips and their milliseconds, gateway calls and their milliseconds.
 */
export function countRequest(dataset: AnalyticsEngineDataset | undefined, seen: RequestSeen): void {
  const { code, cost, method, ms, property, route, status } = seen;
  const { d1, gateway } = cost;
  write(dataset, {
    indexes: [property ?? '-'],
    blobs: ['request', method, route, String(status), code ?? ''],
    doubles: [ms, d1.calls, d1.ms, gateway.calls, gateway.ms],
  });
}

/**
 * Counts a money operation in Workers Analytics Engine: index property; blobs `operation`, gateway, kind, outcome,
 * decline code; double milliseconds.
 */
export function countOperation(
  dataset: AnalyticsEngineDataset | undefined,
  seen: OperationSeen,
): void {
  const { declineCode, gateway, kind, ms, outcome, property } = seen;
  write(dataset, {
    indexes: [property],
    blobs: ['operation', gateway, kind, outcome, declineCode ?? ''],
    doubles: [ms],
  });
}

/** Never throws: the platform limits the points of one invocation, and a lost point must not fail a request. */
function write(dataset: AnalyticsEngineDataset | undefined, point: AnalyticsEngineDataPoint): void {
  try {
    dataset?.writeDataPoint(point);
  } catch {
    // The point is lost.
  }
}
