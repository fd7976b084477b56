import { enterProperty } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import { fromArchive } from '../../http/fromArchive.ts';
import { WritesArchived } from '../../platform/db/database.ts';
import type { BookingName } from '../../records/bookings/store.ts';
import { RETURN_PATH } from './enterCard.ts';
import { failurePage, messagePage } from './site.tsx';

/**
 * Shows a page of a booking, which `show` finds in the request's database, or returns null; of an archived one as if it stood
 * there. `show` calls `beforeActing` once it may go on: what a guest does brings the booking back, and `show` begins again.
 * Without a name, it is not looked for in the archive.
 */
export async function orFromArchive(
  c: AppContext,
  name: BookingName | null,
  show: (beforeActing: () => void) => Promise<Response | null>,
): Promise<Response> {
  const shown = await show(() => undefined);
  if (shown) return shown;
  if (name === null) return messagePage(c, 404, 'unknownLink');
  enterProperty(c, name.propertyId);
  const again = await fromArchive(c, name, 'guest', (isBack) =>
    show(() => {
      // A form can be read only once, and what an object records is not seen among archived rows: it comes back before.
      if (!isBack && acts(c)) throw new WritesArchived();
    }),
  );
  if (again && !again.ok) return failurePage(c, again.error);
  return again?.value ?? messagePage(c, 404, 'unknownLink');
}

/** Whether a request does something, if only by a guest's return from their bank. */
function acts({ req: { method, path } }: AppContext): boolean {
  return method === 'POST' || path.endsWith(`/${RETURN_PATH}`);
}
