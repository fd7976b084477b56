import { holdsCardNumber } from '../../core/cardNumbers.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { csvAnswer, wantsCsv } from '../web/csvTable.ts';
import { type Form, formOf } from '../web/forms.ts';
import { page } from '../web/page.ts';
import { act, confirm } from './actions/routes.tsx';
import { bookingCsv } from './booking/csv.ts';
import { BookingPage } from './booking/page.tsx';
import { readBookingFile } from './booking/read.ts';
import { timelineViewOf } from './booking/timelineView.ts';
import {
  accept,
  confirmAcceptance,
  showComing,
  showDifferences,
  showDisputes,
  showFailed,
} from './lists/routes.tsx';
import { PropertiesPage } from './pages/properties.tsx';
import { CONSOLE_PATH, pathOf } from './paths.ts';
import type { PropertyRequest } from './propertyRequest.ts';
import { showBankLine } from './reports/showBankLine.tsx';
import { showPayout, showPayouts } from './reports/showPayouts.tsx';
import { showReport } from './reports/showReport.tsx';
import { foundCsv, PropertyPage } from './search/page.tsx';
import { searchBookings } from './search/store.ts';
import { termsOf } from './search/terms.ts';
import { keepSession, readSignedIn, type SignedIn } from './session.ts';
import { registerConsoleSignIn } from './signInRoutes.tsx';
import { notFoundPage, signInPage, unreadableForm } from './site.tsx';
import { selectReached } from './store.ts';

/** How many properties the first page lists. */
const MOST_PROPERTIES = 200;

/** Registers the console, the pages for the staff of properties (interface: Console). */
export function registerConsole(api: Api): void {
  registerConsoleSignIn(api);
  api.get(CONSOLE_PATH, (c) => showProperties(c));
  registerPropertyPage(api, 'property', showProperty);
  registerPropertyPage(api, 'booking', showBooking);
  registerPropertyPage(api, 'confirm', confirm);
  registerPropertyPage(api, 'report', showReport);
  registerPropertyPage(api, 'disbursements', showPayouts);
  registerPropertyPage(api, 'disbursement', showPayout);
  registerPropertyPage(api, 'bank-line', showBankLine);
  registerPropertyPage(api, 'failed', showFailed);
  registerPropertyPage(api, 'coming', showComing);
  registerPropertyPage(api, 'disputes', showDisputes);
  registerPropertyPage(api, 'differences', showDifferences);
  registerPropertyPage(api, 'accept', confirmAcceptance);
  registerForm(api, 'do', act);
  registerForm(api, 'accept', accept);
}

async function showProperties(c: AppContext): Promise<Response> {
  const signedIn = await kept(c, '');
  if (signedIn === null) return signInPage(c, 200);
  const { person } = signedIn;
  const database = c.get('database');
  const [properties] = await database.batch('d1.console.read', [
    selectReached(database.queries, person, MOST_PROPERTIES),
  ]);
  return page(c, 200, <PropertiesPage person={person} properties={properties} />);
}

/** Registers a page of a property. To people who do not work for the property, it does not exist. */
function registerPropertyPage(
  api: Api,
  name: string,
  show: (request: PropertyRequest) => Promise<Response>,
): void {
  api.get(`${CONSOLE_PATH}/${name}`, async (c) => {
    const signedIn = await kept(c, c.req.query('property') ?? '');
    if (signedIn === null) return signInPage(c, 200);
    const { person, property } = signedIn;
    const reference = c.req.query('reference') ?? '';
    return property === null ? notFoundPage(c) : show({ c, person, property, reference });
  });
}

/** Registers a form that acts. */
function registerForm(
  api: Api,
  name: string,
  run: (request: PropertyRequest, form: Form) => Promise<Response>,
): void {
  api.post(`${CONSOLE_PATH}/${name}`, async (c) => {
    const form = await formOf(c);
    if (!form.ok) return unreadableForm(c, form.error);
    const { property: propertyId = '', reference = '' } = form.value;
    const signedIn = await kept(c, propertyId);
    if (signedIn === null) return signInPage(c, 401, ENDED);
    const { person, property } = signedIn;
    if (property === null) return notFoundPage(c);
    return run({ c, person, property, reference }, form.value);
  });
}

const ENDED = 'Your session has ended, so nothing was done. Please sign in again.';

async function showProperty({ c, person, property }: PropertyRequest): Promise<Response> {
  const typed = c.req.query('q') ?? '';
  const terms = termsOf(typed, property.currency);
  const found = terms && (await searchBookings(c.get('database'), property.id, terms));
  // People paste whole card numbers: the page that finds the card has only its last digits, in its address too. An id of
  // a payment can look like a card number.
  if (holdsCardNumber(typed) && !found?.some(({ by }) => by === 'payment')) {
    const q = typed.normalize('NFKC').replaceAll(/\D/g, '').slice(-4);
    return c.redirect(pathOf('property', { property: property.id, q }), 303);
  }
  if (found && wantsCsv(c)) return csvAnswer(c, `bookings-${property.id}`, foundCsv, found);
  return page(
    c,
    200,
    <PropertyPage person={person} property={property} typed={typed} found={found} />,
  );
}

async function showBooking(request: PropertyRequest): Promise<Response> {
  const { c, person, property, reference } = request;
  const view = timelineViewOf(c.req.query('kind') ?? '', c.req.query('before') ?? '');
  if (wantsCsv(c)) return bookingCsv(request, view);
  const file = await readBookingFile(c.get('database'), property.id, reference, view);
  if (file === null) return notFoundPage(c);
  const text = doneCopy[c.req.query('done') ?? ''];
  const notice = text === undefined ? null : ({ kind: 'good', text } as const);
  const before = { payments: idIn(c, 'paymentsBefore'), refunds: idIn(c, 'refundsBefore') };
  return page(c, 200, <BookingPage person={person} file={file} notice={notice} before={before} />);
}

/** The id of a payment or refund in a query; null if there is none. */
function idIn(c: AppContext, field: string): number | null {
  const text = c.req.query(field) ?? '';
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}

/** What the last action did, as the redirect's query says. */
const doneCopy: Readonly<Record<string, string>> = {
  charge: 'The card was charged.',
  schedule: 'The charge is scheduled.',
  hold: 'The amount is held.',
  capture: 'The hold was captured.',
  release: 'The hold was released.',
  refund: 'The refund was made.',
  cancelSchedule: 'The scheduled charge was cancelled.',
  cancelSchedules: 'The scheduled charges were cancelled.',
  requestCard: 'The guest was asked for a card.',
  resolve: 'It was settled by hand.',
};

/** Who is signed in, with their session kept for another while; null for anyone else. One round trip. */
async function kept(c: AppContext, propertyId: string): Promise<SignedIn | null> {
  const signedIn = await readSignedIn(c, propertyId);
  if (signedIn !== null) await keepSession(c, signedIn);
  return signedIn;
}
