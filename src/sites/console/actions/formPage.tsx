import { rightFor } from '../../../desk/actions.ts';
import { type BookingFile, readBookingFile } from '../../../desk/bookingFile.ts';
import { may } from '../../../desk/rights.ts';
import { describe } from '../../../desk/sentences.ts';
import { words } from '../../../desk/words.ts';
import type { Form } from '../../web/forms.tsx';
import { LinkLine, Notice, page, Section } from '../../web/page.tsx';
import { bookingPageWith } from '../booking/page.tsx';
import { statusWith } from '../filled.ts';
import { bookingPath } from '../paths.ts';
import { bookingTitle, framed, notFoundPage, type PropertyRequest } from '../site.tsx';
import { followUpsOf } from './followUps.tsx';
import { ActionForm, formActions } from './forms.tsx';
import type { FormIssues } from './readAction.ts';

const { actions: copy } = words;

/** The actions that are about no earlier payment. */
const NEW = ['charge', 'schedule', 'hold', 'putPlan', 'cancelBooking'];

/** Shows the form of an action on an earlier payment. One that cannot be done leads to the booking's page. */
export function showForm(request: PropertyRequest): Promise<Response> {
  return formPage(request, request.c.req.query(), {});
}

export async function formPage(
  request: PropertyRequest,
  typed: Form,
  issues: FormIssues,
  status: number = statusWith(issues),
): Promise<Response> {
  const { c, person, property, reference } = request;
  const named = formActions.find((one) => one === typed['do']);
  const allowed = may(person, property, named ? rightFor[named] : 'see');
  if (!allowed.ok) return bookingPageWith(request, 403, allowed.error.detail);
  const file = await readBookingFile(c.get('database'), property.id, reference);
  if (file === null) return notFoundPage(c);
  const action = formFor(typed, file);
  if (action === null) {
    const text = Object.values(issues).join(' ') || words.refusals.notNow;
    return bookingPageWith(request, status === 200 ? 409 : status, text);
  }
  const row = rowNamed(typed, file);
  const content = (
    <>
      {issues['form'] !== undefined && <Notice kind="bad" text={issues['form']} />}
      <Section id="form" heading={copy.titles[action]}>
        {row && <p>{describe(row, file)}</p>}
        <ActionForm action={action} typed={typed} issues={issues} />
      </Section>
      <LinkLine href={bookingPath(property.id, reference)} text={words.confirm.back} />
    </>
  );
  return page(c, status, framed(request, { title: bookingTitle(file), file }, content));
}

/** The action whose form can be filled in now, about what it names; null if there is none. */
export function formFor(typed: Form, file: BookingFile): (typeof formActions)[number] | null {
  const action = formActions.find((one) => one === typed['do']);
  if (action === undefined || NEW.some((one) => one === action)) return action ?? null;
  const row = rowNamed(typed, file);
  const isPossible = row && followUpsOf(row, file.disputes).some((one) => one === action);
  return isPossible ? action : null;
}

function rowNamed({ chargeId }: Form, { refunds, transactions }: BookingFile) {
  return [...transactions, ...refunds].find(({ id }) => String(id) === chargeId);
}
