import { z } from 'zod';
import type { Failure } from '../../../core/failure.ts';
import { type DeskAction, type DeskWork, isPriced } from '../../../desk/actions.ts';
import { readBookingFile } from '../../../desk/bookingFile.ts';
import { perform } from '../../../desk/perform.ts';
import { previewOf } from '../../../desk/preview.ts';
import { words } from '../../../desk/words.ts';
import { publicBaseUrl } from '../../../http/baseUrl.ts';
import { statusOf } from '../../../http/problem.ts';
import type { Form } from '../../web/forms.tsx';
import { page } from '../../web/page.tsx';
import { BookingPage } from '../booking/page.tsx';
import { bookingPath } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { notFoundPage } from '../site.tsx';
import { ConfirmPage } from './confirmPage.tsx';
import { readAction } from './readAction.ts';

const { issues: copy } = words.actions;

/** Shows what an action will do; does nothing. */
export async function confirm(request: PropertyRequest): Promise<Response> {
  const fields: Form = request.c.req.query();
  const action = readAction(fields, request.property);
  if (!action.ok) return withProblem(request, Object.values(action.error).join(' '), 422);
  return confirmation(request, fields, action.value);
}

/** Does what was confirmed. The form's key makes repeated presses one. */
export async function act(request: PropertyRequest, form: Form): Promise<Response> {
  const { c, property } = request;
  const action = readAction(form, property);
  const key = z.uuid().safeParse(form['key']);
  if (!action.ok) return withProblem(request, Object.values(action.error).join(' '), 422);
  if (!key.success) return withProblem(request, copy.begin, 422);
  const quoteId = form['quoteId'] ?? null;
  if (isPriced(action.value) && quoteId === null) return askAgain(request, form, action.value);
  const order = { action: action.value, key: key.data, quoteId };
  const done = await perform(workFor(request, form), order);
  if (!done.ok) {
    const isStale = done.error.code === 'quote_stale';
    return isStale ? askAgain(request, form, action.value) : refused(request, done.error);
  }
  const { link } = done.value;
  if (link !== null) return withLink(request, link);
  return c.redirect(
    `${bookingPath(property.id, form['reference'] ?? '')}&done=${action.value.do}`,
    303,
  );
}

/** The page that shows what an action will do. `notice` says why it is asked again. */
async function confirmation(
  request: PropertyRequest,
  fields: Form,
  action: DeskAction,
  notice?: string,
): Promise<Response> {
  const { c, person, property } = request;
  const preview = await previewOf(workFor(request, fields), action);
  if (!preview.ok) return refused(request, preview.error);
  return page(
    c,
    notice === undefined ? 200 : 409,
    <ConfirmPage
      person={person}
      property={property}
      reference={fields['reference'] ?? ''}
      action={action}
      preview={preview.value}
      fields={fields}
      formKey={crypto.randomUUID()}
      {...(notice !== undefined && { notice })}
    />,
  );
}

/** Asks for another press at the price of now: what was shown no longer holds, or was not shown. */
function askAgain(
  request: PropertyRequest,
  { key: _used, quoteId: _stale, ...fields }: Form,
  action: DeskAction,
): Promise<Response> {
  return confirmation(request, fields, action, copy.stale);
}

function workFor({ c, person, property }: PropertyRequest, fields: Form): DeskWork {
  const config = c.get('config');
  const { reference = '' } = fields;
  return {
    env: c.env,
    config,
    keyring: config.keyring,
    database: c.get('database'),
    trace: c.get('trace'),
    baseUrl: publicBaseUrl(c),
    person,
    property,
    reference,
    requestId: c.get('requestId'),
  };
}

function refused(request: PropertyRequest, { code, detail }: Failure): Promise<Response> {
  if (code === 'booking_not_found') return notFoundPage(request.c);
  const text = code === 'outcome_unknown' ? copy.outcomeUnknown : detail;
  return withProblem(request, text, statusOf(code));
}

/** The booking's page, with what went wrong on top of it. */
async function withProblem(
  { c, person, property, reference }: PropertyRequest,
  text: string,
  status: number,
): Promise<Response> {
  const file = await readBookingFile(c.get('database'), property.id, reference);
  if (file === null) return notFoundPage(c);
  const notice = { kind: 'bad', text } as const;
  return page(c, status, <BookingPage person={person} file={file} notice={notice} />);
}

async function withLink(
  { c, person, property, reference }: PropertyRequest,
  link: string,
): Promise<Response> {
  const file = await readBookingFile(c.get('database'), property.id, reference);
  if (file === null) return notFoundPage(c);
  const notice = { kind: 'good', text: words.booking.link, link } as const;
  return page(c, 200, <BookingPage person={person} file={file} notice={notice} />);
}
