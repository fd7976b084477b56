import type { Failure } from '../../../core/failure.ts';
import { DAY_MS } from '../../../core/time.ts';
import {
  acceptableDifference,
  acceptDifference,
  type DifferenceWork,
} from '../../../desk/differences.ts';
import { description } from '../../../http/fields.ts';
import { statusOf } from '../../../http/problem.ts';
import type { Key } from '../../../platform/db/page.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { selectExceptions } from '../../../reconciliation/exceptionStore.ts';
import { csvAnswer, wantsCsv } from '../../web/csvTable.ts';
import type { Form } from '../../web/forms.ts';
import { page } from '../../web/page.ts';
import { pathOf } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { messagePage, notFoundPage } from '../site.tsx';
import { COMING_DAYS, ComingPage, comingCsv } from './coming.tsx';
import { AcceptPage, DifferencesPage, differencesCsv } from './differences.tsx';
import { DisputesPage, disputesCsv } from './disputes.tsx';
import { FAILED_DAYS, FailedPage, failedCsv, failedRefundsCsv } from './failed.tsx';
import { AskedList } from './pages.ts';
import {
  selectComing,
  selectDisputesByDeadline,
  selectFailed,
  selectFailedRefunds,
} from './store.ts';

/** Shows what will be charged, and which holds end. */
export async function showComing({ c, person, property }: PropertyRequest): Promise<Response> {
  const database = c.get('database');
  const list = new AskedList(c, 'coming', property.id);
  const untilMs = propertyNow(property) + COMING_DAYS * DAY_MS;
  const [rows] = await database.batch('d1.console.read', [
    selectComing(database.queries, property.id, untilMs, list.part),
  ]);
  const listed = list.pageOf(rows, keyAtTime);
  if (wantsCsv(c)) {
    return csvAnswer(c, `coming-${property.id}`, comingCsv(property.timeZone), listed.rows);
  }
  return page(c, 200, <ComingPage person={person} property={property} listed={listed} />);
}

/** Shows the payments and refunds that failed. */
export async function showFailed({ c, person, property }: PropertyRequest): Promise<Response> {
  const database = c.get('database');
  const { queries } = database;
  const sinceMs = propertyNow(property) - FAILED_DAYS * DAY_MS;
  const ofPayments = new AskedList(c, 'failed', property.id);
  const ofRefunds = new AskedList(c, 'failedRefunds', property.id, 'afterRefund');
  const [failed, failedRefunds] = await database.batch('d1.console.read', [
    selectFailed(queries, property.id, sinceMs, ofPayments.part),
    selectFailedRefunds(queries, property.id, sinceMs, ofRefunds.part),
  ]);
  const payments = ofPayments.pageOf(failed, keyAtTime);
  const refunds = ofRefunds.pageOf(failedRefunds, keyAtTime);
  if (wantsCsv(c)) {
    const { id, timeZone } = property;
    return c.req.query('table') === 'refunds'
      ? csvAnswer(c, `failed-refunds-${id}`, failedRefundsCsv(timeZone), refunds.rows)
      : csvAnswer(c, `failed-${id}`, failedCsv(timeZone), payments.rows);
  }
  return page(
    c,
    200,
    <FailedPage person={person} property={property} payments={payments} refunds={refunds} />,
  );
}

/** The key of an entry that is listed by its time and then by its number. */
function keyAtTime({ atMs, id }: { readonly atMs: number; readonly id: number }): Key {
  return [atMs, id];
}

/** Shows the open disputes. */
export async function showDisputes({ c, person, property }: PropertyRequest): Promise<Response> {
  const database = c.get('database');
  const list = new AskedList(c, 'openDisputes', property.id);
  const [rows] = await database.batch('d1.console.read', [
    selectDisputesByDeadline(database.queries, property.id, list.part),
  ]);
  const listed = list.pageOf(rows, ({ id, respondByMs, status }) => [status, respondByMs ?? 0, id]);
  if (wantsCsv(c)) {
    return csvAnswer(c, `disputes-${property.id}`, disputesCsv(property.timeZone), listed.rows);
  }
  return page(c, 200, <DisputesPage person={person} property={property} listed={listed} />);
}

/** Shows where the acquirer's record and ours differ. */
export async function showDifferences({ c, person, property }: PropertyRequest): Promise<Response> {
  const database = c.get('database');
  const list = new AskedList(c, 'differences', property.id);
  const of = { property: property.id, status: 'open' } as const;
  const [rows] = await database.batch('d1.console.read', [
    selectExceptions(database.queries, of, list.part),
  ]);
  const listed = list.pageOf(rows, ({ id }) => [id]);
  if (wantsCsv(c)) {
    const columns = differencesCsv(property.timeZone);
    return csvAnswer(c, `differences-${property.id}`, columns, listed.rows);
  }
  const isAccepted = c.req.query('done') === 'accept';
  return page(
    c,
    200,
    <DifferencesPage person={person} property={property} listed={listed} isAccepted={isAccepted} />,
  );
}

/** Shows what accepting a difference does; does nothing. */
export async function confirmAcceptance(request: PropertyRequest): Promise<Response> {
  const { c, person, property } = request;
  const asked = acceptanceIn(c.req.query());
  if (asked === null) return noReason(request);
  const found = await acceptableDifference(workFor(request), asked.id);
  if (!found.ok) return refused(request, found.error);
  const { reason } = asked;
  return page(
    c,
    200,
    <AcceptPage person={person} property={property} exception={found.value} reason={reason} />,
  );
}

/** Accepts the difference that was confirmed. */
export async function accept(request: PropertyRequest, form: Form): Promise<Response> {
  const { c, property } = request;
  const asked = acceptanceIn(form);
  if (asked === null) return noReason(request);
  const accepted = await acceptDifference(workFor(request), asked.id, asked.reason);
  if (!accepted.ok) return refused(request, accepted.error);
  return c.redirect(pathOf('differences', { property: property.id, done: 'accept' }), 303);
}

function workFor({ c, person, property }: PropertyRequest): DifferenceWork {
  return { database: c.get('database'), person, property, requestId: c.get('requestId') };
}

function acceptanceIn(form: Form): { readonly id: string; readonly reason: string } | null {
  const reason = description.min(1).safeParse((form['reason'] ?? '').trim());
  return reason.success ? { id: form['exception'] ?? '', reason: reason.data } : null;
}

function noReason({ c }: PropertyRequest): Promise<Response> {
  const text = 'Say why: 1 to 500 characters, and no card number. Nothing was done.';
  return messagePage(c, 422, 'A reason is missing', text);
}

function refused({ c }: PropertyRequest, { code, detail }: Failure): Promise<Response> {
  return code === 'exception_not_found'
    ? notFoundPage(c)
    : messagePage(c, statusOf(code), 'This was not done', detail);
}
