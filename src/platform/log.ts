import { describeError } from './db/errors.ts';

/** The subject of a log line. Holds ids only, no personal data. */
export interface About {
  readonly requestId?: string | undefined;
  readonly property?: string | undefined;
  readonly booking?: string | undefined;
  /** The charge's or refund's id. */
  readonly operation?: number | string | undefined;
  readonly [name: string]: string | number | undefined;
}

/** The booking of an operation, for a log line. */
export function aboutBooking({
  requestId,
  propertyId: property,
  reference: booking,
}: Readonly<{ requestId: string; propertyId: string; reference: string }>): About {
  return { requestId, property, booking };
}

export function logError(event: string, error: unknown, about: About = {}): void {
  console.error(JSON.stringify({ event, ...about, error: describeError(error) }));
}

export function logWarning(event: string, about: About = {}): void {
  console.warn(JSON.stringify({ event, ...about }));
}

export function logInfo(event: string, about: About = {}): void {
  console.log(JSON.stringify({ event, ...about }));
}
