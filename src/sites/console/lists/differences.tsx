import { money, plainMoney } from '../../../core/format.ts';
import { exponentOf } from '../../../core/money.ts';
import { localTimestamp } from '../../../core/time.ts';
import { hasRight } from '../../../records/staff/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import type { ExceptionRow, ExceptionSide } from '../../../schema/reconciliationTables.ts';
import type { CsvColumns } from '../../web/csvTable.ts';
import { Notice } from '../../web/notice.tsx';
import { Instant } from '../../web/table.tsx';
import { ConsoleLayout } from '../pages/layout.tsx';
import { bookingPath, CONSOLE_PATH, pathOf } from '../paths.ts';
import { type ListOf, ListPage, ListSection } from './listPage.tsx';
import type { Listed } from './pages.ts';

/** Where the acquirer's record and ours differ, and nobody accepted it yet. */
export function DifferencesPage({
  person,
  property,
  listed,
  isAccepted,
}: ListOf & {
  readonly listed: Listed<ExceptionRow>;
  /** Whether one was accepted right before. */
  readonly isAccepted: boolean;
}) {
  const mayAccept = hasRight(person.role, 'acceptDifferences');
  const accepting = {
    name: 'Accept',
    cell: ({ id }: ExceptionRow) => <AcceptForm property={property} id={id} />,
  };
  return (
    <ListPage
      person={person}
      property={property}
      here="differences"
      title="Differences"
      intro="Where the acquirer’s record and ours differ, and nobody accepted it yet."
    >
      {isAccepted && (
        <Notice kind="good">
          <p>The difference is accepted.</p>
        </Notice>
      )}
      <ListSection
        property={property}
        here="differences"
        heading="Open differences"
        caption="Open differences, the latest first"
        listed={listed}
        empty="The records agree, as far as they were compared."
        columns={[
          {
            name: 'Found',
            cell: ({ foundAtMs }) => <Instant atMs={foundAtMs} timeZone={property.timeZone} />,
          },
          { name: 'What', cell: ({ kind }) => kindWords[kind] },
          {
            name: 'Booking',
            cell: ({ bookingReference }) =>
              bookingReference === null ? (
                'not known'
              ) : (
                <a href={bookingPath(property.id, bookingReference)}>
                  <bdi>{bookingReference}</bdi>
                </a>
              ),
          },
          { name: 'Here', cell: ({ ours }) => sideCopy(ours) },
          { name: 'There', cell: ({ theirs }) => sideCopy(theirs) },
          { name: 'Detail', cell: ({ detail }) => detail },
          ...(mayAccept ? [accepting] : []),
        ]}
      />
      {!mayAccept && (
        <p class="soft">Your role ({person.role}) sees them. A manager may accept them.</p>
      )}
    </ListPage>
  );
}

/** The same as CSV. */
export function differencesCsv(timeZone: string): CsvColumns<ExceptionRow> {
  return {
    [`Found in ${timeZone}`]: ({ foundAtMs }) => localTimestamp(foundAtMs, timeZone),
    What: ({ kind }) => kindWords[kind],
    Booking: ({ bookingReference }) => bookingReference,
    'Status here': ({ ours }) => ours?.status ?? null,
    'Amount here': ({ ours }) => plainAmount(ours),
    'Currency here': ({ ours }) => ours?.currency ?? null,
    'Id here': ({ ours }) => ours?.id ?? null,
    'Status there': ({ theirs }) => theirs?.status ?? null,
    'Amount there': ({ theirs }) => plainAmount(theirs),
    'Currency there': ({ theirs }) => theirs?.currency ?? null,
    'Id there': ({ theirs }) => theirs?.id ?? null,
    Detail: ({ detail }) => detail,
  };
}

function plainAmount(side: ExceptionSide | null): string | null {
  const { amountMinor = null, currency = null } = side ?? {};
  const isKnown = amountMinor !== null && currency !== null && exponentOf(currency) !== null;
  return isKnown ? plainMoney(amountMinor, currency) : null;
}

const kindWords = {
  missing_here: 'The acquirer has it, we do not',
  missing_there: 'We have it, the acquirer does not',
  amount_differs: 'The amounts differ',
  state_differs: 'The states differ',
  unknown_payment: 'A payment of the acquirer that is none of ours',
} as const satisfies Record<ExceptionRow['kind'], string>;

function sideCopy(side: ExceptionSide | null): string {
  if (side === null) return 'nothing';
  const { amountMinor, currency, id, status } = side;
  const isKnown = amountMinor !== null && currency !== null && exponentOf(currency) !== null;
  const amount = isKnown ? money(amountMinor, currency) : '';
  return [status, amount, id ?? ''].filter((part) => part !== '').join(', ');
}

/** The form to accept a difference; it leads to a page that asks for confirmation. */
function AcceptForm({
  property,
  id,
}: {
  readonly property: Pick<PropertyRow, 'id'>;
  readonly id: string;
}) {
  return (
    <form method="get" action={`${CONSOLE_PATH}/accept`} class="actions">
      <input type="hidden" name="property" value={property.id} />
      <input type="hidden" name="exception" value={id} />
      <input
        name="reason"
        required
        maxlength={500}
        placeholder="Reason"
        aria-label={`Reason to accept ${id}`}
      />
      <button type="submit">
        Accept<span class="unseen"> {id}</span>
      </button>
    </form>
  );
}

/** Says what accepting does, and asks for one press. */
export function AcceptPage({
  person,
  property,
  exception,
  reason,
}: ListOf & { readonly exception: ExceptionRow; readonly reason: string }) {
  return (
    <ConsoleLayout title="Accept the difference" person={person} property={property} here="accept">
      <section aria-labelledby="what">
        <h2 id="what">What will happen</h2>
        <p>
          {kindWords[exception.kind]}: {sideCopy(exception.ours)} here, {sideCopy(exception.theirs)}{' '}
          there.
        </p>
        <p>
          It counts as explained from now on and no comparison opens it again. No money moves. This
          cannot be undone.
        </p>
        <p>
          The reason is kept: <bdi>{reason}</bdi>
        </p>
      </section>
      <form method="post" action={`${CONSOLE_PATH}/accept`} class="row">
        <input type="hidden" name="property" value={property.id} />
        <input type="hidden" name="exception" value={exception.id} />
        <input type="hidden" name="reason" value={reason} />
        <button type="submit">Accept the difference</button>
      </form>
      <p>
        <a href={pathOf('differences', { property: property.id })}>Back without doing anything</a>
      </p>
    </ConsoleLayout>
  );
}
