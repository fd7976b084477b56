import { GUEST_MEMBERS } from '../../records/privacy/rules.ts';

/** What names an application in the files: its number, or its property and the PMS's number of the booking. */
export interface NamedApplication {
  readonly propertyId: string;
  readonly applicationNumber: string | null;
  readonly bookingId: number | null;
}

interface ApplicationMembers {
  readonly applicationNumber?: string | null;
  readonly bookingId?: number | null;
}

/** The applications of a line: the line itself, or those of a customer. */
export function applicationsIn(line: string): NamedApplication[] {
  const { bookings, property, ...own } = JSON.parse(line) as ApplicationMembers & {
    readonly property: string;
    readonly bookings?: readonly ApplicationMembers[];
  };
  return (bookings ?? [own]).map(({ applicationNumber = null, bookingId = null }) => ({
    propertyId: property,
    applicationNumber,
    bookingId,
  }));
}

/** A member with its value, as the service writes it: a string, a number, a word, or an object without others in it. */
const MEMBER = new RegExp(
  `"(${GUEST_MEMBERS.join('|')})":(?:"(?:[^"\\\\]|\\\\.)*"|\\{[^{}]*\\}|[\\w.+-]+)`,
  'g',
);

/** A line without its guest: null in place of what tells of them, and every other byte as it was. */
export function lineWithoutGuest(line: string): string {
  return line.replace(MEMBER, (_all, name: string) => `"${name}":null`);
}
