import type { Failure } from '../../../core/failure.ts';
import { plainMoney } from '../../../core/format.ts';
import { exponentOf } from '../../../core/money.ts';
import {
  acceptableDifference,
  acceptDifference,
  type DifferenceWork,
} from '../../../desk/differences.ts';
import { money } from '../../../desk/format.ts';
import { type Difference, selectDifferences } from '../../../desk/lists.ts';
import { failureCopy } from '../../../desk/refusals.ts';
import { words } from '../../../desk/words.ts';
import { description } from '../../../http/fields.ts';
import { statusOf } from '../../../http/problem.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { ExceptionSide } from '../../../schema/reconciliationTables.ts';
import { ButtonForm, type Form, Hidden } from '../../web/forms.tsx';
import { LinkLine, Notice, page, Section } from '../../web/page.tsx';
import { consoleSite } from '../../web/staffSite.tsx';
import type { Column } from '../../web/table.tsx';
import { CONSOLE_PATH, OPS_PATH, pathOf } from '../paths.ts';
import { framed, notFoundPage, type PropertyRequest } from '../site.tsx';
import { BookingLink, listedTime, more, propertyColumn, type Shown } from './columns.tsx';
import { type StaffList, type StaffPage, showLists } from './list.tsx';

const names = words.columns;
const { differences: copy } = words;

/** Where the acquirer's record and ours differ, and nobody accepted it yet. */
export const differences: StaffList<Difference> = {
  copy,
  name: 'differences',
  file: 'differences',
  key: ({ id }) => [id],
  select: selectDifferences,
  columns: ({ person, shown }) => [
    more(listedTime<Difference>(copy.found, ({ foundAtMs }) => foundAtMs, shown)),
    { name: names.what, text: ({ kind }) => words.differenceKinds[kind] },
    {
      name: names.booking,
      text: ({ bookingReference }) => bookingReference,
      cell: ({ bookingReference, propertyId }) =>
        bookingReference === null ? (
          copy.unknownBooking
        ) : (
          <BookingLink property={propertyId} reference={bookingReference} />
        ),
    },
    ...(shown ? [] : [more(propertyColumn)]),
    ...sideColumns(copy.ours, ({ ours }) => ours),
    ...sideColumns(copy.theirs, ({ theirs }) => theirs),
    { name: copy.detail, isMore: true, text: ({ detail }) => detail },
    ...(!person || hasRight(person.role, 'acceptDifferences')
      ? [{ name: copy.accept, cell: ({ id }: Difference) => <AcceptForm shown={shown} id={id} /> }]
      : []),
  ],
};

export const differencesPage: StaffPage = { copy, path: 'differences', lists: [differences] };

/** One of the two records: a column of the page, and four of the file. */
function sideColumns(
  name: (typeof copy)['ours'],
  sideOf: (row: Difference) => ExceptionSide | null,
): Column<Difference>[] {
  const forFiles = { isForFiles: true } as const;
  return [
    { name: name.all, cell: (row) => <bdi>{sideCopy(sideOf(row))}</bdi> },
    { name: name.status, ...forFiles, text: (row) => sideOf(row)?.status ?? null },
    { name: name.amount, ...forFiles, text: (row) => amountOf(sideOf(row), plainMoney) },
    { name: name.currency, ...forFiles, text: (row) => sideOf(row)?.currency ?? null },
    { name: name.id, ...forFiles, text: (row) => sideOf(row)?.id ?? null },
  ];
}

/** The amount of a record; null where it or its currency is not known. */
function amountOf(
  side: ExceptionSide | null,
  written: (minor: number, currency: string) => string,
): string | null {
  const { amountMinor = null, currency = null } = side ?? {};
  const isKnown = amountMinor !== null && currency !== null && exponentOf(currency) !== null;
  return isKnown ? written(amountMinor, currency) : null;
}

function sideCopy(side: ExceptionSide | null): string {
  if (side === null) return copy.nothing;
  const parts = [side.status, amountOf(side, money), side.id];
  return parts.filter(Boolean).join(', ');
}

/** The form to accept a difference. In the console it leads to a page that asks for confirmation. */
function AcceptForm({ shown, id }: { readonly shown: Shown; readonly id: string }) {
  return (
    <form
      method={shown ? 'get' : 'post'}
      action={shown ? `${CONSOLE_PATH}/accept` : `${OPS_PATH}/reconciliation/accept`}
      class="actions"
    >
      <Hidden fields={shown ? { property: shown.id, exception: id } : { exceptionId: id }} />
      <input
        name="reason"
        required
        maxlength={500}
        placeholder={copy.reason}
        aria-label={copy.reasonFor({ id })}
      />
      <button type="submit">
        {copy.accept} <span class="unseen">{id}</span>
      </button>
    </form>
  );
}

/** Shows where the acquirer's record and ours differ. */
export function showDifferences(request: PropertyRequest): Promise<Response> {
  const { role } = request.person;
  return showLists(request, differencesPage, {
    before: (
      <>
        {request.c.req.query('done') === 'accept' && <Notice kind="good" text={copy.accepted} />}
        {hasRight(role, 'acceptDifferences') && (
          <LinkLine
            href={pathOf('pms-ledger', { property: request.property.id })}
            text={copy.ledger}
          />
        )}
      </>
    ),
    after: !hasRight(role, 'acceptDifferences') && (
      <p class="soft">{copy.notYours({ role: words.rights.roles[role] })}</p>
    ),
  });
}

/** Says what accepting a difference does, and asks for one press; does nothing. */
export async function confirmAcceptance(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = acceptanceIn(c.req.query());
  if (asked === null) return noReason(request);
  const found = await acceptableDifference(workFor(request), asked.id);
  if (!found.ok) return refused(request, found.error);
  const { reason } = asked;
  const { id, kind, ours, theirs } = found.value;
  const sides = { ours: sideCopy(ours), theirs: sideCopy(theirs) };
  const content = (
    <>
      <Section id="what" heading={copy.what}>
        <p>{copy.sides({ kind: words.differenceKinds[kind], ...sides })}</p>
        <p>{copy.final}</p>
        <p>
          {copy.kept} <bdi>{reason}</bdi>
        </p>
      </Section>
      <ButtonForm
        action={`${CONSOLE_PATH}/accept`}
        class="row"
        fields={{ property: property.id, exception: id, reason }}
        text={copy.acceptTitle}
      />
      <LinkLine href={pathOf('differences', { property: property.id })} text={copy.back} />
    </>
  );
  return page(c, 200, framed(request, { title: copy.acceptTitle }, content));
}

export async function accept(request: PropertyRequest, form: Form): Promise<Response> {
  const { c, property } = request;
  const asked = acceptanceIn(form);
  if (asked === null) return noReason(request);
  const accepted = await acceptDifference(workFor(request), asked.id, asked.reason);
  if (!accepted.ok) return refused(request, accepted.error);
  return c.redirect(pathOf('differences', { property: property.id, done: 'accept' }), 303);
}

function workFor({ c, person, property }: PropertyRequest): DifferenceWork {
  const accepting = { database: c.get('database'), env: c.env, trace: c.get('trace') };
  return { ...accepting, person, property, requestId: c.get('requestId') };
}

function acceptanceIn(form: Form): { readonly id: string; readonly reason: string } | null {
  const reason = description.min(1).safeParse((form['reason'] ?? '').trim());
  return reason.success ? { id: form['exception'] ?? '', reason: reason.data } : null;
}

function noReason({ c }: PropertyRequest): Promise<Response> {
  return consoleSite.message(c, 422, copy.noReason, copy.sayWhy);
}

function refused({ c }: PropertyRequest, why: Failure): Promise<Response> {
  return why.code === 'exception_not_found'
    ? notFoundPage(c)
    : consoleSite.message(c, statusOf(why.code), copy.notDone, failureCopy(why));
}
