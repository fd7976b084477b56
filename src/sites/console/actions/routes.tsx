import { z } from 'zod';
import type { Failure } from '../../../core/failure.ts';
import { instant, money } from '../../../core/format.ts';
import { type DeskAction, type DeskWork, isPriced } from '../../../desk/actions.ts';
import { perform } from '../../../desk/perform.ts';
import { type Preview, previewOf } from '../../../desk/preview.ts';
import { words } from '../../../desk/words.ts';
import { publicBaseUrl } from '../../../http/baseUrl.ts';
import { statusOf } from '../../../http/problem.ts';
import type { DecidedCapture } from '../../../money/payments/rules/decideCapture.ts';
import type { Priced } from '../../../records/properties/rules/takenPrice.ts';
import type { RefundRow, TransactionRow } from '../../../schema/moneyTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Fact, type Form, Hidden } from '../../web/forms.tsx';
import { LinkLine, Notice, page, Section } from '../../web/page.tsx';
import { bookingPageWith } from '../booking/page.tsx';
import { bookingPath, CONSOLE_PATH } from '../paths.ts';
import { framed, notFoundPage, type PropertyRequest, useViewed } from '../site.tsx';
import { readAction } from './readAction.ts';

const { confirm: confirmCopy } = words;
const { issues: copy, titles } = words.actions;

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
  const frame = { title: titles[action.do] };
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

/** Says what an action will do, and asks for one press. */
function Confirmation({
  action,
  preview,
  fields,
  notice,
}: {
  readonly action: DeskAction;
  readonly preview: Preview;
  readonly fields: Form;
  /** Why it is asked again; left out the first time. */
  readonly notice?: string | undefined;
}) {
  const { property } = useViewed();
  const { reference = '' } = fields;
  const { about, capture, quote, refusals } = preview;
  const warnings = [...(quote?.warnings ?? []), ...(capture?.warnings ?? [])];
  // However often a form with one key is sent, it acts once.
  const sent = { ...fields, key: crypto.randomUUID(), ...(quote && { quoteId: quote.quoteId }) };
  return (
    <>
      <p>
        {confirmCopy.of} <a href={bookingPath(property.id, reference)}>{reference}</a>,{' '}
        {property.name}
      </p>
      {notice !== undefined && <Notice kind="bad" text={notice} />}
      {refusals.map(({ detail }) => (
        <Notice kind="bad" text={detail} />
      ))}
      {warnings.map((warning) => (
        <Notice kind="info" text={words.warnings[warning]} />
      ))}
      <Section id="what" heading={confirmCopy.heading}>
        <p>{capture ? captureCopy(capture, about, property) : sentenceOf(action, property)}</p>
        {about.map((row) => (
          <p>{describe(row, property)}</p>
        ))}
        {quote && (
          <dl>
            <Price priced={quote.priced} />
            <Fact name={confirmCopy.dueBefore}>
              {money(quote.dueBeforeMinor, property.currency)}
            </Fact>
            <Fact name={confirmCopy.dueAfter}>{money(quote.dueAfterMinor, property.currency)}</Fact>
          </dl>
        )}
        {capture && (
          <dl>
            <Price priced={capture.priced} />
          </dl>
        )}
      </Section>
      {refusals.length === 0 && (
        <form method="post" action={`${CONSOLE_PATH}/do`} class="row">
          <Hidden fields={sent} />
          <button type="submit">{titles[action.do]}</button>
        </form>
      )}
      <LinkLine href={bookingPath(property.id, reference)} text={confirmCopy.back} />
    </>
  );
}

function Price({ priced }: { readonly priced: Priced }) {
  const { currency } = useViewed().property;
  return (
    <>
      <Fact name={confirmCopy.amount}>{money(priced.requestedMinor, currency)}</Fact>
      <Fact name={confirmCopy.fees}>
        {money(priced.cardFeeMinor + priced.transactionFeeMinor, currency)}
      </Fact>
      <Fact name={confirmCopy.cardPays}>
        <strong>{money(priced.amountMinor, currency)}</strong>
      </Fact>
    </>
  );
}

/** A payment or refund that the action is about. */
function describe(row: TransactionRow | RefundRow, { timeZone }: PropertyRow): string {
  const { amountMinor, currency, status } = row;
  const dueAtMs = status === 'Pending' ? row.scheduledAtMs : null;
  const about = {
    kind: words.kinds['kind' in row ? row.kind : 'refund'],
    id: String(row.id),
    amount: money(amountMinor, currency),
    status,
    when:
      dueAtMs === null
        ? confirmCopy.made({ time: instant(row.createdAtMs, timeZone) })
        : confirmCopy.willBe({ time: instant(dueAtMs, timeZone) }),
  };
  const refundedMinor = 'refundReservedMinor' in row ? row.refundReservedMinor : 0;
  return refundedMinor > 0
    ? confirmCopy.refundedRow({ ...about, refunded: money(refundedMinor, currency) })
    : confirmCopy.row(about);
}

function sentenceOf(action: DeskAction, { currency, timeZone }: PropertyRow): string {
  switch (action.do) {
    case 'charge':
      return confirmCopy.charge({ order: confirmCopy.orders[action.initiator] });
    case 'schedule':
    case 'hold': {
      const time = instant(action.time.atMs, timeZone);
      return confirmCopy[action.do]({ time, order: confirmCopy.orders[action.initiator] });
    }
    case 'refund': {
      const waive = action.waive ? confirmCopy.waived : confirmCopy.dueAgain;
      return confirmCopy.refund({ amount: money(action.amountMinor, currency), waive });
    }
    case 'resolve':
      return confirmCopy.resolve({
        outcome: confirmCopy.outcomes[action.outcome],
        reason: action.reason,
      });
    default:
      return confirmCopy[action.do];
  }
}

function captureCopy(
  { priced }: DecidedCapture,
  [hold]: Preview['about'],
  { currency }: PropertyRow,
): string {
  const isWhole = hold && 'kind' in hold && priced.requestedMinor === hold.requestedMinor;
  return isWhole
    ? confirmCopy.captureWhole
    : confirmCopy.capturePart({ amount: money(priced.requestedMinor, currency) });
}
