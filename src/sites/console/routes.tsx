import { holdsCardNumber } from '../../core/cardNumbers.ts';
import { readBookingFile } from '../../desk/bookingFile.ts';
import { may, readReached } from '../../desk/rights.ts';
import { searchBookings, termsOf } from '../../desk/search.ts';
import { timelineKinds } from '../../desk/timelineStore.ts';
import { wordFor, words } from '../../desk/words.ts';
import type { AppContext } from '../../http/context.ts';
import { shownPart } from '../../http/listFields.ts';
import type { Api } from '../../http/operation.ts';
import type { Right } from '../../records/staff/rules.ts';
import { csvAnswer, wantsCsv } from '../web/csvTable.ts';
import { type Form, formOf } from '../web/forms.tsx';
import { page } from '../web/page.tsx';
import { act, confirm } from './actions/routes.tsx';
import { bookingCsv } from './booking/csv.ts';
import { BookingPage } from './booking/page.tsx';
import { comingPage } from './lists/coming.tsx';
import { disputesPage } from './lists/disputes.tsx';
import { failedPage } from './lists/failed.tsx';
import { accept, confirmAcceptance, showDifferences, showLists } from './lists/routes.tsx';
import { ConsoleLayout } from './pages/layout.tsx';
import { CONSOLE_PATH, pathOf, propertyPath } from './paths.ts';
import type { PropertyRequest } from './propertyRequest.ts';
import { showBankLine } from './reports/showBankLine.tsx';
import { showPayout, showPayouts } from './reports/showPayouts.tsx';
import { showReport } from './reports/showReport.tsx';
import { foundColumns, PropertyPage } from './search/page.tsx';
import { keepSession, readSignedIn, type SignedIn } from './session.ts';
import { registerConsoleSignIn } from './signInRoutes.tsx';
import { consoleSite, notFoundPage, refusedPage, signInPage } from './site.tsx';

/** Registers the console, the pages for the staff of properties (interface: Console). */
export function registerConsole(api: Api): void {
  registerConsoleSignIn(api);
  api.get(CONSOLE_PATH, (c) => showProperties(c));
  registerPropertyPage(api, 'property', 'see', showProperty);
  registerPropertyPage(api, 'booking', 'see', showBooking);
  registerPropertyPage(api, 'confirm', 'see', confirm);
  registerPropertyPage(api, 'report', 'seeReports', showReport);
  registerPropertyPage(api, 'disbursements', 'seeReports', showPayouts);
  registerPropertyPage(api, 'disbursement', 'seeReports', showPayout);
  registerPropertyPage(api, 'bank-line', 'seeReports', showBankLine);
  for (const list of [failedPage, comingPage, disputesPage]) {
    registerPropertyPage(api, list.path, 'see', (request) => showLists(request, list));
  }
  registerPropertyPage(api, 'differences', 'see', showDifferences);
  registerPropertyPage(api, 'accept', 'acceptDifferences', confirmAcceptance);
  registerForm(api, 'do', act);
  registerForm(api, 'accept', accept);
}

async function showProperties(c: AppContext): Promise<Response> {
  const signedIn = await kept(c, '');
  if (signedIn === null) return signInPage(c, 200);
  const { person } = signedIn;
  const properties = await readReached(c.get('database'), person);
  return page(
    c,
    200,
    <ConsoleLayout title={words.console.name} person={person}>
      <nav aria-label={words.console.properties}>
        <ul class="links">
          {properties.map(({ id, name }) => (
            <li>
              <a href={propertyPath(id)}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
    </ConsoleLayout>,
  );
}

/** Registers a page of a property, and the right that it takes. */
function registerPropertyPage(
  api: Api,
  name: string,
  right: Right,
  show: (request: PropertyRequest) => Promise<Response>,
): void {
  api.get(`${CONSOLE_PATH}/${name}`, async (c) => {
    const signedIn = await kept(c, c.req.query('property') ?? '');
    if (signedIn === null) return signInPage(c, 200);
    const { person, property } = signedIn;
    const reference = c.req.query('reference') ?? '';
    if (property === null) return notFoundPage(c);
    const allowed = may(person, property, right);
    return allowed.ok ? show({ c, person, property, reference }) : refusedPage(c, allowed.error);
  });
}

function registerForm(
  api: Api,
  name: string,
  run: (request: PropertyRequest, form: Form) => Promise<Response>,
): void {
  api.post(`${CONSOLE_PATH}/${name}`, async (c) => {
    const form = await formOf(c);
    if (!form.ok) return consoleSite.unreadable(c, form.error);
    const { property: propertyId = '', reference = '' } = form.value;
    const signedIn = await kept(c, propertyId);
    if (signedIn === null) return signInPage(c, 401, words.console.ended);
    const { person, property } = signedIn;
    if (property === null) return notFoundPage(c);
    return run({ c, person, property, reference }, form.value);
  });
}

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
  if (found && wantsCsv(c)) return csvAnswer(c, `bookings-${property.id}`, foundColumns, found);
  return page(
    c,
    200,
    <PropertyPage person={person} property={property} typed={typed} found={found} />,
  );
}

async function showBooking(request: PropertyRequest): Promise<Response> {
  const { c, person, property, reference } = request;
  const { before, done = '', kind, paymentsBefore, refundsBefore } = c.req.query();
  const { after } = shownPart('timeline', reference, { limit: 1, cursor: before });
  const view = { kind: timelineKinds.find((one) => one === kind) ?? null, after };
  if (wantsCsv(c)) return bookingCsv(request, view);
  const file = await readBookingFile(c.get('database'), property.id, reference, view);
  if (file === null) return notFoundPage(c);
  const text = wordFor(words.booking.done, done);
  const notice = text === undefined ? null : ({ kind: 'good', text } as const);
  const cursors = { payments: paymentsBefore, refunds: refundsBefore };
  return page(
    c,
    200,
    <BookingPage person={person} file={file} notice={notice} cursors={cursors} />,
  );
}

/** Who is signed in, with their session kept for another while; null for anyone else. One round trip. */
async function kept(c: AppContext, propertyId: string): Promise<SignedIn | null> {
  const signedIn = await readSignedIn(c, propertyId);
  if (signedIn !== null) await keepSession(c, signedIn);
  return signedIn;
}
