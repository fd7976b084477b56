import { eq, isNull, type SQL, sql } from 'drizzle-orm';
import { properties } from '../schema/propertyTables.ts';

/** What a dispatcher sends: to one receiver, of the properties that it serves at the moment. */
export interface Served {
  /** A PMS's address, or an endpoint's id. */
  readonly receiver: string;
  /** The property whose clock is being advanced; null for all those whose clocks run. */
  readonly advanced: string | null;
}

/** Whether a property's clock is one by which the dispatcher sends. */
export function hasServedClock({ advanced }: Served): SQL {
  return advanced === null ? isNull(properties.clockFrozenAtMs) : eq(properties.id, advanced);
}

/** What a property's clock shows. A frozen one is being advanced, and the advance says what it shows. */
export function clockAt(nowMs: number): SQL {
  return sql`(${nowMs} + CASE WHEN ${properties.clockFrozenAtMs} IS NULL THEN ${properties.clockAheadMs} ELSE 0 END)`;
}
