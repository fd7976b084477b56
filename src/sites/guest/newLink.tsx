import { renewLink } from '../../desk/links.ts';
import { enterProperty } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import { fromArchive } from '../../http/fromArchive.ts';
import { canMail } from '../../platform/mail/send.ts';
import {
  type BookingLinkClaims,
  bookingLink,
  unsealBookingLink,
} from '../../records/links/linkToken.ts';
import { readerOfGuest } from './language.ts';
import type { ShownProperty } from './pages/reader.tsx';
import { linkTokenOf } from './session.ts';
import { failurePage, GUEST_PATH, messagePage, readForm, textPage } from './site.tsx';

export const NEW_LINK_PATH = `${GUEST_PATH}new-link`;

/** How a booking's page ended: its link has expired, or the guest's session timed out. */
const STATUSES = { expiredLink: 410, sessionEnded: 401 } as const;

/** The page of a booking's page that ended: its guest can have a new link mailed (interface: Guest pages). */
export async function endedPage(
  c: AppContext,
  ended: keyof typeof STATUSES,
  claims: BookingLinkClaims,
  property: ShownProperty | null,
): Promise<Response> {
  const status = STATUSES[ended];
  const config = c.get('config');
  if (!canMail(c.env, config)) return messagePage(c, status, ended, property);
  const { [ended]: text, sendNewLink: send } = readerOfGuest(c).words.messages;
  // It opens nothing: whoever finds the page can only have a link mailed to the guest.
  const { search } = new URL(await bookingLink(config.keyring, 'http://here', claims, 0));
  return textPage(
    c,
    status,
    text,
    property,
    <form method="post" action={NEW_LINK_PATH + search}>
      <button type="submit">{send}</button>
    </form>,
  );
}

/** Mails a new link to the booking's address; the answer does not tell whether it has one. */
export async function sendNewLink(c: AppContext): Promise<Response> {
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const config = c.get('config');
  const claims = await unsealBookingLink(config.keyring, linkTokenOf(c));
  if (claims === null) return messagePage(c, 404, 'unknownLink');
  enterProperty(c, claims.propertyId);
  const renew = () => renewLink({ config, database: c.get('database'), env: c.env }, claims);
  const again = (await renew()) ? null : await fromArchive(c, claims, 'guest', renew);
  if (again && !again.ok) return failurePage(c, again.error);
  return messagePage(c, 200, 'newLink');
}
