import { exponentOf } from '../../core/money.ts';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import type { PropertyRow } from '../../platform/db/propertyTables.ts';
import type { Person } from '../../records/staff/rules.ts';
import { page } from '../web/page.ts';
import { BookingPage } from './booking/page.tsx';
import { readBookingFile } from './booking/read.ts';
import { PropertiesPage } from './pages/properties.tsx';
import { SignInPage } from './pages/signIn.tsx';
import { CONSOLE_PATH } from './paths.ts';
import { PropertyPage } from './search/page.tsx';
import { searchBookings } from './search/store.ts';
import { termsOf } from './search/terms.ts';
import { keepSession, readSignedIn, type SignedIn } from './session.ts';
import { registerConsoleSignIn } from './signInRoutes.tsx';
import { notFoundPage } from './site.tsx';
import { selectReached } from './store.ts';

/** How many properties the first page lists. */
const MOST_PROPERTIES = 200;

/** Registers the console, the pages for the staff of properties (interface: Console). */
export function registerConsole(api: Api): void {
  registerConsoleSignIn(api);
  api.get(CONSOLE_PATH, (c) => showProperties(c));
  registerPropertyPage(api, 'property', showProperty);
  registerPropertyPage(api, 'booking', showBooking);
}

async function showProperties(c: AppContext): Promise<Response> {
  const signedIn = await kept(c, '');
  if (signedIn === null) return page(c, 200, <SignInPage />);
  const { person } = signedIn;
  const database = c.get('database');
  const [properties] = await database.batch('d1.console.read', [
    selectReached(database.queries, person, MOST_PROPERTIES),
  ]);
  return page(c, 200, <PropertiesPage person={person} properties={properties} />);
}

/** A request for a page of a property that the person works for. */
interface PropertyRequest {
  readonly c: AppContext;
  readonly person: Person;
  readonly property: PropertyRow;
}

/** Registers a page of a property. To whoever does not work for the property, it does not exist. */
function registerPropertyPage(
  api: Api,
  name: string,
  show: (request: PropertyRequest) => Promise<Response>,
): void {
  api.get(`${CONSOLE_PATH}/${name}`, async (c) => {
    const signedIn = await kept(c, c.req.query('property') ?? '');
    if (signedIn === null) return page(c, 200, <SignInPage />);
    const { person, property } = signedIn;
    return property === null ? notFoundPage(c) : show({ c, person, property });
  });
}

async function showProperty({ c, person, property }: PropertyRequest): Promise<Response> {
  const typed = c.req.query('q') ?? '';
  const terms = termsOf(typed, exponentOf(property.currency) ?? 2);
  const found = terms && (await searchBookings(c.get('database'), property.id, terms));
  return page(
    c,
    200,
    <PropertyPage person={person} property={property} typed={typed} found={found} />,
  );
}

async function showBooking({ c, person, property }: PropertyRequest): Promise<Response> {
  const reference = c.req.query('reference') ?? '';
  const file = await readBookingFile(c.get('database'), property.id, reference);
  return file === null
    ? notFoundPage(c)
    : page(c, 200, <BookingPage person={person} file={file} />);
}

/** Who is signed in, with their session kept for another while; null for anyone else. One round trip. */
async function kept(c: AppContext, propertyId: string): Promise<SignedIn | null> {
  const signedIn = await readSignedIn(c, propertyId);
  if (signedIn !== null) await keepSession(c, signedIn);
  return signedIn;
}
