import { z } from 'zod';
import type { AppContext } from '../http/context.ts';
import { page } from '../pages/page.ts';
import { type Account, readAccount } from './account.ts';
import { AccountPage, type Happened } from './pages/account.tsx';
import { expiredLink, unknownLink, visitOver } from './site.tsx';
import type { BookingTicket } from './tickets.ts';
import { keepVisit, readVisit } from './visit.ts';

/** Where the payment pages are. */
export const PAYMENTS = '/guest/v1/payments';

/** A guest who has come by a link to a booking's payment page. */
export interface Here {
  readonly ticket: BookingTicket;
  /** Where the pages of this visit are. */
  readonly home: string;
  readonly account: Account;
}

const ticketShape = z.object({
  propertyId: z.string(),
  reference: z.string(),
  linkVersion: z.int(),
  expiresAtMs: z.int(),
  linkId: z.string(),
}) satisfies z.ZodType<BookingTicket>;

/** Shows a page to whoever has a visit whose link still stands. */
export async function visiting(
  c: AppContext,
  show: (here: Here) => Response | Promise<Response>,
): Promise<Response> {
  const home = `${PAYMENTS}/${c.req.param('visit')}`;
  const ticket = await readVisit(c, home, ticketShape);
  if (ticket === null) return visitOver(c);
  c.set('property', ticket.propertyId);
  const account = await readAccount(c.get('database'), ticket.propertyId, ticket.reference);
  if (account === null) return unknownLink(c);
  const revoked = account.state.booking.linkVersion !== ticket.linkVersion;
  if (ticket.expiresAtMs <= Date.now() || revoked) return expiredLink(c);
  await keepVisit(c, home, ticket);
  return show({ ticket, home, account });
}

/** What has become of the booking since it was read for this visit. */
export async function again(c: AppContext, here: Here): Promise<Here> {
  const { propertyId, reference } = here.ticket;
  const account = await readAccount(c.get('database'), propertyId, reference);
  return account ? { ...here, account } : here;
}

/** The booking's page, after something has happened. */
export function accountPage(
  c: AppContext,
  { account, home }: Here,
  happened: Happened,
  status = 200,
): Promise<Response> {
  const attempt = crypto.randomUUID();
  return page(
    c,
    status,
    <AccountPage
      account={account}
      home={home}
      attempt={attempt}
      happened={happened}
      nowMs={Date.now()}
    />,
  );
}

/** The booking's page, with why something was not done. */
export function refused(
  c: AppContext,
  here: Here,
  words: string,
  status: number,
): Promise<Response> {
  return accountPage(c, here, { kind: 'refused', words }, status);
}
