import { may, readReached } from '../../desk/rights.ts';
import { words } from '../../desk/words.ts';
import { enterProperty } from '../../http/access.ts';
import type { AppContext } from '../../http/context.ts';
import { fromArchive } from '../../http/fromArchive.ts';
import type { Api } from '../../http/operation.ts';
import { othersTurn } from '../../platform/othersTurn.ts';
import type { Right } from '../../records/staff/rules.ts';
import { type FileForm, fileFormOf } from '../web/fileForm.ts';
import { type Form, formOf } from '../web/forms.tsx';
import { page } from '../web/page.tsx';
import { consoleSite } from '../web/staffSite.tsx';
import { registerAccount } from './account.tsx';
import { showForm } from './actions/formPage.tsx';
import { showLink } from './actions/linkPage.tsx';
import { act, confirm } from './actions/routes.tsx';
import { showBooking } from './booking/page.tsx';
import { answerDispute, sendPdf, showDispute } from './disputes/routes.tsx';
import { importFile, showBankStatement } from './ledgers/bankStatementPage.tsx';
import { compareFile, repair, showLedger } from './ledgers/pmsLedgerPage.tsx';
import { failedPage } from './lists/attention.tsx';
import { accept, confirmAcceptance, showDifferences } from './lists/differences.tsx';
import { showLists } from './lists/list.tsx';
import { comingPage, disputesPage } from './lists/payments.tsx';
import { showPayout } from './lists/payouts.tsx';
import { showVirtualCards } from './lists/virtualCards.tsx';
import { bookingPath, CONSOLE_PATH, disputePath, pathOf } from './paths.ts';
import { showBankLine, showPayouts } from './reports/bankLinePage.tsx';
import { showFigure } from './reports/figurePage.tsx';
import { showOutstanding } from './reports/outstandingPage.tsx';
import { showReport } from './reports/reportPage.tsx';
import { readSignedIn, registerConsoleSignIn } from './signIn.tsx';
import {
  framedOfAll,
  notFoundPage,
  type PropertyRequest,
  refusedPage,
  signInPage,
} from './site.tsx';
import { showAudit } from './staff/auditPage.tsx';
import { changeStaff, showStaff } from './staff/staffPage.tsx';
import { showProperty } from './today.tsx';

/** Registers the console, the pages for the staff of properties (interface: Console). */
export function registerConsole(api: Api): void {
  registerConsoleSignIn(api);
  registerAccount(api);
  api.get(CONSOLE_PATH, (c) => showProperties(c));
  registerPropertyPage(api, 'property', 'see', showProperty);
  registerPropertyPage(api, 'booking', 'see', showBooking);
  registerPropertyPage(api, 'form', 'see', showForm);
  registerPropertyPage(api, 'confirm', 'see', confirm);
  registerPropertyPage(api, 'link', 'sendLinks', showLink);
  registerPropertyPage(api, 'report', 'seeReports', showReport);
  registerPropertyPage(api, 'payments', 'seeReports', showFigure);
  registerPropertyPage(api, 'outstanding', 'seeReports', showOutstanding);
  registerPropertyPage(api, 'disbursements', 'seeReports', showPayouts);
  registerPropertyPage(api, 'disbursement', 'seeReports', showPayout);
  registerPropertyPage(api, 'bank-line', 'seeReports', showBankLine);
  registerPropertyPage(api, 'bank-statement', 'seeReports', showBankStatement);
  registerUpload(api, 'bank-statement', importFile);
  for (const list of [failedPage, comingPage, disputesPage]) {
    registerPropertyPage(api, list.path, 'see', (request) => showLists(request, list));
  }
  registerPropertyPage(api, 'dispute', 'see', showDispute);
  registerPropertyPage(api, 'evidence.pdf', 'see', sendPdf);
  registerForm(api, 'dispute', answerDispute);
  registerPropertyPage(api, 'virtual', 'see', showVirtualCards);
  registerPropertyPage(api, 'differences', 'see', showDifferences);
  registerPropertyPage(api, 'accept', 'acceptDifferences', confirmAcceptance);
  registerPropertyPage(api, 'pms-ledger', 'acceptDifferences', showLedger);
  registerUpload(api, 'pms-ledger', compareFile);
  registerForm(api, 'pms-ledger-repair', repair);
  registerForm(api, 'do', act);
  registerForm(api, 'accept', accept);
  registerPropertyPage(api, 'staff', 'seeReports', showStaff);
  registerForm(api, 'staff', changeStaff);
  registerPropertyPage(api, 'audit', 'seeReports', showAudit);
}

async function showProperties(c: AppContext): Promise<Response> {
  const signedIn = await readSignedIn(c, '');
  if (signedIn === null) return signInPage(c, 200);
  const { person } = signedIn;
  const properties = await readReached(c.get('database'), person);
  const [only, ...others] = properties;
  if (only && others.length === 0)
    return c.redirect(pathOf('property', { property: only.id }), 303);
  return page(
    c,
    200,
    framedOfAll(
      person,
      { title: words.console.site, here: CONSOLE_PATH },
      <nav aria-label={words.console.properties}>
        <ul class="links">
          {properties.map(({ id, name }) => (
            <li>
              <a href={pathOf('property', { property: id })}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>,
    ),
  );
}

function registerPropertyPage(
  api: Api,
  name: string,
  right: Right,
  show: (request: PropertyRequest) => Promise<Response>,
): void {
  api.get(`${CONSOLE_PATH}/${name}`, async (c) => {
    const signedIn = await readSignedIn(c, c.req.query('property') ?? '');
    if (signedIn === null) return signInPage(c, 200);
    const { counts, person, property } = signedIn;
    const reference = c.req.query('reference') ?? '';
    if (property === null) return notFoundPage(c);
    enterProperty(c, property.id);
    await othersTurn();
    const allowed = may(person, property, right);
    return allowed.ok
      ? orFromArchive(show, { c, counts, person, property, reference })
      : refusedPage(c, allowed.error);
  });
}

/** Answers a request; about an archived booking as if that stood in the database, or once that is back where it writes. */
async function orFromArchive(
  answer: (request: PropertyRequest) => Promise<Response>,
  request: PropertyRequest,
): Promise<Response> {
  const { c, person, property, reference } = request;
  const answered = await answer(request);
  if (answered.status !== 404 || reference === '') return answered;
  const name = { propertyId: property.id, reference };
  const again = await fromArchive(c, name, person.id, () => answer(request));
  if (again === null) return answered;
  return again.ok ? again.value : refusedPage(c, again.error);
}

function registerForm(
  api: Api,
  name: string,
  run: (request: PropertyRequest, form: Form) => Promise<Response>,
): void {
  api.post(`${CONSOLE_PATH}/${name}`, async (c) => {
    const form = await formOf(c);
    if (!form.ok) return consoleSite.unreadable(c, form.error);
    const { property: propertyId = '', reference = '', note } = form.value;
    const place = { propertyId, reference, next: pageOfForm(form.value), written: note };
    return asSignedIn(c, place, (request) => run(request, form.value));
  });
}

/** The page that a form belongs to, where its fields name that. */
function pageOfForm({ dispute, property = '', reference = '' }: Form): string {
  if (dispute !== undefined) return disputePath(property, dispute);
  return reference === '' ? CONSOLE_PATH : bookingPath(property, reference);
}

/** Registers a form with a file. Its address names the property: the file of somebody unknown is not read. */
function registerUpload(
  api: Api,
  name: string,
  run: (request: PropertyRequest, form: FileForm) => Promise<Response>,
): void {
  api.post(`${CONSOLE_PATH}/${name}`, (c) => {
    const place = { propertyId: c.req.query('property') ?? '', reference: '', next: CONSOLE_PATH };
    return asSignedIn(c, place, async (request) => {
      const form = await fileFormOf(c);
      return form.ok ? run(request, form.value) : consoleSite.unreadable(c, form.error);
    });
  });
}

interface Place {
  readonly propertyId: string;
  readonly reference: string;
  /** Where signing in leads to. */
  readonly next: string;
  /** What somebody wrote there. */
  readonly written?: string | undefined;
}

async function asSignedIn(
  c: AppContext,
  { propertyId, reference, ...page }: Place,
  run: (request: PropertyRequest) => Promise<Response>,
): Promise<Response> {
  const signedIn = await readSignedIn(c, propertyId);
  if (signedIn === null) return signInPage(c, 401, { error: words.console.ended, ...page });
  const { counts, person, property } = signedIn;
  if (property === null) return notFoundPage(c);
  enterProperty(c, property.id);
  return orFromArchive(run, { c, counts, person, property, reference });
}
