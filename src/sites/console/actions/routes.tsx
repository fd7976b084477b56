import { z } from 'zod';
import type { Failure } from '../../../core/failure.ts';
import { pick } from '../../../core/pick.ts';
import { type DeskAction, type DeskWork, isPriced, mayTry } from '../../../desk/actions.ts';
import { readBookingFile } from '../../../desk/bookingFile.ts';
import { instant, money } from '../../../desk/format.ts';
import { perform } from '../../../desk/perform.ts';
import { type Preview, previewOf, takenAtMs } from '../../../desk/preview.ts';
import { failureCopy } from '../../../desk/refusals.ts';
import { describe, sentencesOf } from '../../../desk/sentences.ts';
import { words } from '../../../desk/words.ts';
import { publicBaseUrl } from '../../../http/baseUrl.ts';
import { statusOf } from '../../../http/problem.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import { ButtonForm, Fact, type Form } from '../../web/forms.tsx';
import { LinkLine, Notice, page, Section } from '../../web/page.tsx';
import { bookingPageWith } from '../booking/page.tsx';
import { bookingPath, CONSOLE_PATH, pathOf } from '../paths.ts';
import {
  bookingTitle,
  framed,
  notFoundPage,
  type PropertyRequest,
  useFile,
  useViewed,
} from '../site.tsx';
import { Step } from './followUps.tsx';
import { formFor, formPage } from './formPage.tsx';
import { ActionForm } from './forms.tsx';
import { readAction } from './readAction.ts';

const { confirm: confirmCopy } = words;
const { issues: copy, titles } = words.actions;

/** Shows what an action will do; does nothing. */
export async function confirm(request: PropertyRequest): Promise<Response> {
  const fields: Form = request.c.req.query();
  const action = readAction(fields, request.property);
  if (!action.ok) return formPage(request, fields, action.error);
  return confirmation(request, fields, action.value);
}

/** Does what was confirmed. The form's key makes repeated presses one. */
export async function act(request: PropertyRequest, form: Form): Promise<Response> {
  const { property, reference, c } = request;
  const action = readAction(form, property);
  const key = z.uuid().safeParse(form['key']);
  if (!action.ok) return formPage(request, form, action.error);
  if (!key.success) return bookingPageWith(request, 422, copy.begin);
  const quoteId = form['quoteId'] ?? null;
  if (isPriced(action.value) && quoteId === null) return askAgain(request, form, action.value);
  const order = { action: action.value, key: key.data, quoteId };
  const done = await perform(workFor(request), order);
  if (!done.ok) {
    const isStale = done.error.code === 'quote_stale';
    return isStale ? askAgain(request, form, action.value) : refused(request, done.error);
  }
  // A page that is read again sends nothing again.
  const made = { property: property.id, reference, key: key.data };
  return c.redirect(
    done.value.link === null
      ? `${bookingPath(property.id, reference)}&done=${action.value.do}`
      : pathOf('link', made),
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
  const { c, property, reference } = request;
  const [preview, file] = await Promise.all([
    previewOf(workFor(request), action),
    readBookingFile(c.get('database'), property.id, reference, { kind: 'mails' }),
  ]);
  if (file === null) return notFoundPage(c);
  if (!preview.ok) {
    const { error } = preview;
    return formPage(request, fields, { form: failureCopy(error) }, statusOf(error.code));
  }
  const shown = { action, preview: preview.value, fields, notice };
  const content = framed(request, { title: bookingTitle(file), file }, <Confirmation {...shown} />);
  return page(c, notice === undefined ? 200 : 409, content);
}

/** Asks for another press at the price of now: what was shown no longer holds, or was not shown. */
function askAgain(
  request: PropertyRequest,
  { key: _used, quoteId: _stale, ...fields }: Form,
  action: DeskAction,
): Promise<Response> {
  return confirmation(request, fields, action, copy.stale);
}

export function workFor({ c, person, property, reference }: PropertyRequest): DeskWork {
  return {
    env: c.env,
    ...pick(c.var, 'config', 'database', 'trace', 'requestId'),
    keyring: c.get('config').keyring,
    baseUrl: publicBaseUrl(c),
    person,
    property,
    reference,
  };
}

function refused(request: PropertyRequest, failure: Failure): Promise<Response> {
  if (failure.code === 'booking_not_found') return notFoundPage(request.c);
  return bookingPageWith(request, statusOf(failure.code), failureCopy(failure));
}

/** Says what an action will do, and asks for one press. */
function Confirmation(asked: {
  readonly action: DeskAction;
  readonly preview: Preview;
  readonly fields: Form;
  /** Why it is asked again; left out the first time. */
  readonly notice?: string | undefined;
}) {
  const { action, preview, fields, notice } = asked;
  const file = useFile();
  const { person, property } = useViewed();
  const { currency, id, name, timeZone } = property;
  const { about, cancellation, capture, plan, quote, refusals, twin } = preview;
  const { reference } = file.state.booking;
  const told = [quote, capture, cancellation, plan];
  const warnings = told.flatMap((one) => one?.warnings ?? []);
  const price = quote?.priced ?? capture?.priced;
  // However often a form with one key is sent, it acts once.
  const { quoteId } = quote ?? cancellation ?? plan ?? {};
  const sent = { ...fields, key: crypto.randomUUID(), ...(quoteId && { quoteId }) };
  return (
    <>
      {notice !== undefined && <Notice kind="bad" text={notice} />}
      {refusals.map((refusal) => (
        <Notice kind="bad" text={failureCopy(refusal)} />
      ))}
      {twin && (
        <Notice
          kind="info"
          text={confirmCopy.twin({
            amount: money(twin.amountMinor, twin.currency),
            time: instant(takenAtMs(twin), timeZone),
          })}
        />
      )}
      {warnings.map((warning) => (
        <Notice kind="info" text={words.warnings[warning]} />
      ))}
      <Section id="what" heading={refusals.length === 0 ? titles[action.do] : confirmCopy.notNow}>
        {refusals.length === 0 && sentencesOf(action, preview, file).map((text) => <p>{text}</p>)}
        {(quote !== null || plan !== null || refusals.length > 0 || isAboutMany(action)) &&
          about.map((row) => <p>{describe(row, file)}</p>)}
        {price && (
          <dl>
            <Price priced={price} isHeld={action.do === 'hold'} />
            {quote && (
              <>
                <Fact name={confirmCopy.dueBefore}>{money(quote.dueBeforeMinor, currency)}</Fact>
                <Fact name={confirmCopy.dueAfter}>{money(quote.dueAfterMinor, currency)}</Fact>
              </>
            )}
          </dl>
        )}
        <p class="soft">{name}</p>
      </Section>
      {refusals.length === 0 ? (
        <ButtonForm
          action={`${CONSOLE_PATH}/do`}
          class="row"
          fields={sent}
          text={twin ? confirmCopy.again : titles[action.do]}
        />
      ) : (
        <FormAgain typed={fields} />
      )}
      {warnings.includes('scheduled_exceeds_due') && mayTry(person, 'cancelSchedules') && (
        <Step action="cancelSchedules" />
      )}
      <LinkLine href={bookingPath(id, reference)} text={confirmCopy.back} />
    </>
  );
}

/** The form of what cannot be done as it was typed, if another amount or time might do. */
function FormAgain({ typed }: { readonly typed: Form }) {
  const action = formFor(typed, useFile());
  return action && <ActionForm action={action} typed={typed} issues={{}} />;
}

/** Whether the sentence of an action does not name each payment that it is about. */
function isAboutMany({ do: action }: DeskAction): boolean {
  return action === 'cancelSchedules' || action === 'resolve';
}

function Price({ priced, isHeld }: { readonly priced: Priced; readonly isHeld: boolean }) {
  const { currency } = useViewed().property;
  const feeMinor = priced.cardFeeMinor + priced.transactionFeeMinor;
  return (
    <>
      {feeMinor > 0 && (
        <>
          <Fact name={confirmCopy.amount}>{money(priced.requestedMinor, currency)}</Fact>
          <Fact name={confirmCopy.fees}>{money(feeMinor, currency)}</Fact>
        </>
      )}
      <Fact name={isHeld ? confirmCopy.held : confirmCopy.charged}>
        <strong>{money(priced.amountMinor, currency)}</strong>
      </Fact>
    </>
  );
}
