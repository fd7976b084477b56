import { renewLink } from '../../desk/links.ts';
import type { AppContext } from '../../http/context.ts';
import { canMail } from '../../platform/mail/send.ts';
import {
  type BookingLinkClaims,
  bookingLink,
  unsealBookingLink,
} from '../../records/links/linkToken.ts';
import { readerOfGuest } from './language.ts';
import type { ShownProperty } from './pages/reader.tsx';
import { linkTokenOf } from './session.ts';
import { GUEST_PATH, messagePage, readForm, textPage } from './site.tsx';

export const NEW_LINK_PATH = `${GUEST_PATH}new-link`;

/** The page of a booking's link that has expired: its guest can have a new one mailed (interface: Guest pages). */
export async function expiredPage(
  c: AppContext,
  claims: BookingLinkClaims,
  property: ShownProperty | null,
): Promise<Response> {
  const config = c.get('config');
  if (!canMail(c.env, config)) return messagePage(c, 410, 'expiredLink', property);
  const { expiredLink, sendNewLink: send } = readerOfGuest(c).words.messages;
  const { search } = new URL(
    await bookingLink(config.keyring, 'http://here', claims, claims.expiresAtMs),
  );
  return textPage(
    c,
    410,
    expiredLink,
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
  await renewLink({ config, database: c.get('database'), env: c.env }, claims);
  return messagePage(c, 200, 'newLink');
}
