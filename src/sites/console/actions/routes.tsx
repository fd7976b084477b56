import { z } from 'zod';
import type { Failure } from '../../../core/failure.ts';
import { type DeskAction, type DeskWork, isPriced } from '../../../desk/actions.ts';
import { perform } from '../../../desk/perform.ts';
import { previewOf } from '../../../desk/preview.ts';
import { words } from '../../../desk/words.ts';
import { publicBaseUrl } from '../../../http/baseUrl.ts';
import { statusOf } from '../../../http/problem.ts';
import type { Form } from '../../web/forms.tsx';
import { page } from '../../web/page.tsx';
import { bookingPageWith } from '../booking/page.tsx';
import { bookingPath } from '../paths.ts';
import { framed, notFoundPage, type PropertyRequest } from '../site.tsx';
import { Confirmation } from './confirmPage.tsx';
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
  const done = await perform(workFor(request), order);
  if (!done.ok) {
    const isStale = done.error.code === 'quote_stale';
    return isStale ? askAgain(request, form, action.value) : refused(request, done.error);
  }
  const { link } = done.value;
  if (link !== null) {
    return bookingPageWith(request, 200, { kind: 'good', text: words.booking.link, link });
  }
  return c.redirect(`${bookingPath(property.id, request.reference)}&done=${action.value.do}`, 303);
}

/** The page that shows what an action will do. `notice` says why it is asked again. */
async function confirmation(
  request: PropertyRequest,
  fields: Form,
  action: DeskAction,
  notice?: string,
): Promise<Response> {
  const preview = await previewOf(workFor(request), action);
  if (!preview.ok) return refused(request, preview.error);
  const frame = { title: words.actions.titles[action.do] };
  const shown = { action, preview: preview.value, fields, notice };
  const content = framed(request, frame, <Confirmation {...shown} />);
  return page(request.c, notice === undefined ? 200 : 409, content);
}

/** Asks for another press at the price of now: what was shown no longer holds, or was not shown. */
function askAgain(
  request: PropertyRequest,
  { key: _used, quoteId: _stale, ...fields }: Form,
  action: DeskAction,
): Promise<Response> {
  return confirmation(request, fields, action, copy.stale);
}

function workFor({ c, person, property, reference }: PropertyRequest): DeskWork {
  const config = c.get('config');
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

/** The booking's page, with what went wrong on top of it. */
function withProblem(request: PropertyRequest, text: string, status: number): Promise<Response> {
  return bookingPageWith(request, status, { kind: 'bad', text });
}

function refused(request: PropertyRequest, { code, detail }: Failure): Promise<Response> {
  if (code === 'booking_not_found') return notFoundPage(request.c);
  const text = code === 'outcome_unknown' ? copy.outcomeUnknown : detail;
  return withProblem(request, text, statusOf(code));
}
