import { z } from 'zod';
import { plansFor } from '../../money/guest/folio.ts';
import { cardForPlan, type OfferedPlan, shownParts } from '../../money/plans/choice.ts';
import { agreedToPlan } from './agreement.ts';
import { reload } from './guestContext.tsx';
import { PlanPage } from './pages/plan.tsx';
import { callAsGuest, type GuestContext } from './session.ts';
import { failurePage, frameOf, guestPage, readForm } from './site.tsx';

/** Shows all parts of a plan that the property offers (interface: Choosing a plan); puts nothing. */
export function askToPlan(guest: GuestContext): Response | Promise<Response> {
  return showPlan(guest, guest.c.req.query('template') ?? '', false);
}

/** Puts the plan as the page showed it. What has changed since is shown again. */
export async function choosePlan(guest: GuestContext): Promise<Response> {
  const form = await readForm(guest.c);
  if (form instanceof Response) return form;
  const { c, claims, folio, home, nowMs } = guest;
  const { property } = folio.state;
  const { shown = '', template = '' } = form;
  const attempt = z.uuid().safeParse(form['attempt']);
  const offer = offerOf(guest, template);
  const card = cardForPlan(folio.state, nowMs);
  if (!attempt.success || !offer || !card) return c.redirect(home, 303);
  const answer = await callAsGuest(c, claims, property, 'putPlan', {
    spec: null,
    template,
    currency: property.currency,
    cardToken: null,
    dryRun: false,
    choice: { shown, agreed: agreedToPlan(c, offer, property, card) },
    caller: {
      operation: 'put-plan',
      key: `guest-${attempt.data}`,
      request: { reference: claims.reference, template, shown },
    },
  });
  if (answer.ok) return c.redirect(`${home}?planned`, 303);
  if (answer.error.code !== 'invalid_state') return failurePage(c, answer.error);
  return showPlan(await reload(guest), template, true);
}

async function showPlan(
  guest: GuestContext,
  template: string,
  isAgain: boolean,
): Promise<Response> {
  const { c, folio, home, nowMs } = guest;
  const offer = offerOf(guest, template);
  if (!offer) return c.redirect(home, 303);
  const card = cardForPlan(folio.state, nowMs);
  const shown = card && (await shownParts(offer, folio.state.property, card));
  const page = <PlanPage isAgain={isAgain} offer={offer} shown={shown} />;
  return guestPage(c, isAgain ? 409 : 200, page, frameOf(guest));
}

function offerOf(guest: GuestContext, key: string): OfferedPlan | undefined {
  return plansFor(guest).find(({ template }) => template.key === key);
}
