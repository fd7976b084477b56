import type { SQL } from 'drizzle-orm';
import type { Statement } from '../../platform/db/database.ts';
import { appendEntry } from '../history/append.ts';
import type { Entry } from '../history/rules/entry.ts';
import type { Owner } from './rules.ts';
import { eventApplicationView, type ShownApplication } from './views.ts';

/** Who made an entry where no person or program did by themselves. */
const BY_SERVICE = 'service';

/** An application as it is after a move. `contact` finds the number of its contact, where that is new. */
export interface Moved {
  readonly after: Omit<ShownApplication, 'contactId'> & {
    readonly contactId?: number | null;
    readonly bookingId: number | null;
  };
  readonly contact?: SQL | undefined;
  readonly atMs: number;
}

/** The statements that append the event of a move to the history, for the batch of the move. */
export function appendMove(owner: Pick<Owner, 'timeZone'>, moved: Moved): Statement[] {
  return appendEntry(moveEntry(owner, moved));
}

export function moveEntry(
  { timeZone }: Pick<Owner, 'timeZone'>,
  { after, atMs, contact }: Moved,
): Entry {
  const { applicationNumber, bookingId, contactId = null } = after;
  return {
    propertyId: after.propertyId,
    bookingReference: after.bookingReference,
    atMs,
    actor: BY_SERVICE,
    subject: { kind: 'application', id: applicationNumber ?? String(bookingId) },
    event: {
      type: 'application.moved',
      snapshot: { application: eventApplicationView({ ...after, contactId }) },
      timeZone,
      newContact: contact,
    },
  };
}
