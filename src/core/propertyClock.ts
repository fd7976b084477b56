/**
 * How a property's clock runs (interface: Test clock). Only with the sandbox gateway can it differ from real time; it is
 * never behind it. A property's row has these members.
 */
export interface PropertyClock {
  /** The property's version, which grows whenever its clock is moved: of two readings, the higher one is newer. */
  readonly version: number;
  /** How far the clock runs ahead of real time, in milliseconds. */
  readonly clockAheadMs: number;
  /** The instant at which the clock is frozen while it is being advanced; null while it runs. */
  readonly clockFrozenAtMs: number | null;
}

/** The clock of a property whose clock was never moved. Any reading is newer. */
export const REAL_TIME: PropertyClock = { version: 0, clockAheadMs: 0, clockFrozenAtMs: null };

/** The clock of a property, without the rest of its row. */
export function clockOf({ version, clockAheadMs, clockFrozenAtMs }: PropertyClock): PropertyClock {
  return { version, clockAheadMs, clockFrozenAtMs };
}

/** What a property's clock shows at a real time, both in milliseconds since 1970. */
export function propertyTime(
  { clockAheadMs, clockFrozenAtMs }: Omit<PropertyClock, 'version'>,
  realMs: number,
): number {
  return clockFrozenAtMs === null ? realMs + clockAheadMs : Math.max(clockFrozenAtMs, realMs);
}

/** The real time at which a property's clock, as it runs now, shows an instant. */
export function realTimeOf(
  clock: Omit<PropertyClock, 'version'>,
  atMs: number,
  realMs: number,
): number {
  return realMs + atMs - propertyTime(clock, realMs);
}

/** Whether a property's clock shows real time. */
export function isReal({ clockAheadMs, clockFrozenAtMs }: PropertyClock): boolean {
  return clockAheadMs === 0 && clockFrozenAtMs === null;
}
