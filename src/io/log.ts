import { describeError } from '../db/errors.ts';

/** What a line of the log is about: ids, and nothing that tells of a person. */
export interface About {
  readonly requestId?: string | undefined;
  readonly property?: string | undefined;
  readonly booking?: string | undefined;
  /** The charge's or refund's id. */
  readonly operation?: number | undefined;
  readonly [name: string]: string | number | undefined;
}

/** A booking that something is done to, as lines of the log name it. */
export function aboutBooking({
  requestId,
  propertyId: property,
  reference: booking,
}: {
  readonly requestId: string;
  readonly propertyId: string;
  readonly reference: string;
}): About {
  return { requestId, property, booking };
}

/** Writes what went wrong as a line of JSON. */
export function logError(event: string, error: unknown, about: About = {}): void {
  console.error(JSON.stringify({ event, ...about, error: describeError(error) }));
}

/** Writes what should be known as a line of JSON. */
export function logNotice(event: string, about: About = {}): void {
  console.warn(JSON.stringify({ event, ...about }));
}
