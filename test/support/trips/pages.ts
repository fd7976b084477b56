/** What guests, the staff and monitors open. */
import { lazy } from '../../../src/core/lazy.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import { http } from '../api.ts';
import { GOOD } from '../cards.ts';
import { enterCard, Guest, linkTo, openCardForm, typedCard, visit } from '../guest.ts';
import { signIn } from '../ops.ts';
import { signedIn } from '../staff.ts';
import { charge, save, setClock, withCard, withCharge } from './bookings.ts';
import type { Operation } from './operations.ts';

/** A guest on a page that was opened before: that one was there is kept once an hour. */
async function returning(reference: string): Promise<Guest> {
  const guest = await visit(reference);
  await guest.open(guest.page.path);
  return guest;
}

/** Opens a page; what is counted must have been shown. */
async function shown(person: Guest, path: string): Promise<void> {
  const { status, html } = await person.open(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${html}`);
}

const ofGuests: Record<string, Operation> = {
  'guest opens the page for the first time': async (reference) => {
    await withCard(reference);
    const link = await linkTo(reference);
    return () => shown(new Guest(), link);
  },
  "guest's page": async (reference) => {
    await withCard(reference);
    const guest = await returning(reference);
    return () => shown(guest, guest.page.path);
  },
  receipt: async (reference) => {
    const chargeId = await withCharge(reference);
    const guest = await returning(reference);
    return () => shown(guest, `${guest.page.path}/receipt/${chargeId}`);
  },
  'guest enters a card': async (reference) => {
    await save(reference);
    const guest = await visit(reference);
    await openCardForm(guest);
    return () => guest.submit(typedCard(GOOD));
  },
  'guest pays': async (reference) => {
    await save(reference);
    const guest = await returning(reference);
    await enterCard(guest, GOOD);
    return async () => {
      await guest.submit();
      if (!guest.page.html.includes('Payment successful')) throw new Error(guest.page.html);
    };
  },
};

/** Somebody of the staff; a person gets few sign-in links an hour. */
const manager = lazy(() => signedIn());

/** A page of the console beside a booking with two charges. */
const consolePage =
  (path: (reference: string) => string): Operation =>
  async (reference) => {
    await withCharge(reference);
    await charge(reference, { amount: 50 });
    const person = await manager();
    return () => shown(person, `/console/${path(reference)}`);
  };

const ofStaff: Record<string, Operation> = {
  'staff: today': consolePage(() => 'property?property=demo'),
  'staff: search': consolePage((reference) => `property?property=demo&q=${reference}`),
  "staff: a booking's timeline": consolePage(
    (reference) => `booking?property=demo&reference=${reference}`,
  ),
  'staff: report': consolePage(() => 'report?property=demo'),
  'operations page': async () => {
    const admin = await signIn();
    return () => shown(admin, '/ops');
  },
  health: () => {
    // An isolate keeps its last answer for five seconds.
    setClock(Date.now() + 6 * SECOND_MS);
    return Promise.resolve(() => http('/health'));
  },
};

/** The pages, by what the table calls them. */
export const pages = { ...ofGuests, ...ofStaff };
