import type { Child } from 'hono/jsx';
import type { Failure } from '../../../core/failure.ts';
import {
  acceptableDifference,
  acceptDifference,
  type DifferenceWork,
} from '../../../desk/differences.ts';
import { words } from '../../../desk/words.ts';
import { description } from '../../../http/fields.ts';
import { statusOf } from '../../../http/problem.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { Form } from '../../web/forms.tsx';
import { Notice, page } from '../../web/page.tsx';
import { LinkLine } from '../../web/staffLayout.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { CONSOLE_PATH, pathOf } from '../paths.ts';
import type { PropertyRequest } from '../propertyRequest.ts';
import { consoleSite, notFoundPage } from '../site.tsx';
import { differenceCopy, differencesPage } from './differences.tsx';
import { answerLists, type StaffPage } from './list.tsx';

const { differences: copy } = words;

/** Shows a page of lists, or one of them as a file. `before` and `after` are what else the page has. */
export function showLists(
  { c, person, property }: PropertyRequest,
  listed: StaffPage,
  { before, after }: { readonly before?: Child; readonly after?: Child } = {},
): Promise<Response> {
  const view = { person, shown: property, nowMs: propertyNow(property) };
  const { path, title } = listed;
  return answerLists(c, listed, view, (content) => (
    <ConsoleLayout title={title} person={person} property={property} here={path}>
      {before}
      {content}
      {after}
    </ConsoleLayout>
  ));
}

/** Shows where the acquirer's record and ours differ. */
export function showDifferences(request: PropertyRequest): Promise<Response> {
  const { role } = request.person;
  return showLists(request, differencesPage, {
    before: request.c.req.query('done') === 'accept' && <Notice kind="good" text={copy.accepted} />,
    after: !hasRight(role, 'acceptDifferences') && <p class="soft">{copy.notYours({ role })}</p>,
  });
}

/** Says what accepting a difference does, and asks for one press; does nothing. */
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
    <ConsoleLayout title={copy.acceptTitle} person={person} property={property} here="accept">
      <section aria-labelledby="what">
        <h2 id="what">{copy.what}</h2>
        <p>{differenceCopy(found.value)}</p>
        <p>{copy.final}</p>
        <p>
          {copy.kept} <bdi>{reason}</bdi>
        </p>
      </section>
      <form method="post" action={`${CONSOLE_PATH}/accept`} class="row">
        <input type="hidden" name="property" value={property.id} />
        <input type="hidden" name="exception" value={found.value.id} />
        <input type="hidden" name="reason" value={reason} />
        <button type="submit">{copy.acceptTitle}</button>
      </form>
      <LinkLine href={pathOf('differences', { property: property.id })} text={copy.back} />
    </ConsoleLayout>,
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
  return consoleSite.message(c, 422, copy.noReason, copy.sayWhy);
}

function refused({ c }: PropertyRequest, { code, detail }: Failure): Promise<Response> {
  return code === 'exception_not_found'
    ? notFoundPage(c)
    : consoleSite.message(c, statusOf(code), copy.notDone, detail);
}
