import { z } from 'zod';
import { quoteWork } from '../../money/payments/quote.ts';
import { quoteCancellation } from '../../money/settlements/quote.ts';
import { agreedToCancel } from './agreement.ts';
import { CancelPage, mayCancel } from './pages/cancel.tsx';
import { callAsGuest, type GuestContext } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

/** Shows the guest what cancelling comes to (interface: Quote a cancellation); does nothing. */
export function askToCancel(guest: GuestContext): Response | Promise<Response> {
  return mayCancel(guest.folio) ? preview(guest, false) : guest.c.redirect(guest.home, 303);
}

/** Cancels the booking as the page showed it. What has changed since is shown again. */
export async function cancelStay(guest: GuestContext): Promise<Response> {
  const form = await readForm(guest.c);
  if (form instanceof Response) return form;
  const { c, claims, folio, home } = guest;
  const { property } = folio.state;
  const attempt = z.uuid().safeParse(form['attempt']);
  const quoteId = form['quote'] ?? '';
  if (!property.guestCancellation || !attempt.success) return c.redirect(home, 303);
  const quoted = await quote(guest);
  const answer = await callAsGuest(c, claims, property, 'cancelBooking', {
    quoteId,
    ...(quoted.ok && { agreed: agreedToCancel(c, quoted.value, folio.state) }),
    caller: {
      operation: 'apply-cancellation',
      key: `guest-${attempt.data}`,
      request: { reference: claims.reference, quoteId },
    },
  });
  if (answer.ok) return c.redirect(home, 303);
  const { code } = answer.error;
  const isShownAgain = ['quote_stale', 'quote_invalid', 'invalid_state'].includes(code);
  if (!isShownAgain) return failurePage(c, answer.error);
  return mayCancel(folio) ? preview(guest, true) : c.redirect(home, 303);
}

async function preview(guest: GuestContext, isAgain: boolean): Promise<Response> {
  const { c } = guest;
  const quoted = await quote(guest);
  // Without a policy nobody knows what it costs.
  if (!quoted.ok) return c.redirect(guest.home, 303);
  const status = isAgain ? 409 : 200;
  const shown = <CancelPage quote={quoted.value} isAgain={isAgain} />;
  return guestPage(c, status, shown, frameOf(guest));
}

function quote({ c, claims, folio, nowMs }: GuestContext) {
  const { property } = folio.state;
  const work = quoteWork({ ...c.var, env: c.env }, property, claims.reference);
  return quoteCancellation({ ...work, nowMs }, { reason: 'guest', atMs: nowMs, keep: null });
}
