import { capitalisedBrand } from '../../../core/cardNumbers.ts';
import { localDate } from '../../../core/time.ts';
import { days, money } from '../../../desk/format.ts';
import { selectPayouts } from '../../../desk/lists.ts';
import {
  daysOf,
  type FigureTotal,
  isMoved,
  MOVED,
  type MovedFigure,
  type MovedRow,
  readFeesTotal,
  readTotal,
  selectBehind,
  selectUntakenOf,
  type UntakenFigure,
  type UntakenRow,
  type Within,
} from '../../../desk/reports/figures.ts';
import { readSpan } from '../../../desk/reports/report.ts';
import type { Span } from '../../../desk/reports/store.ts';
import { whoCopy } from '../../../desk/timeline.ts';
import { cardCopy, declineCopy, whatCopy, words } from '../../../desk/words.ts';
import { othersTurn } from '../../../platform/othersTurn.ts';
import { propertyNow } from '../../../platform/propertyNow.ts';
import { type TransactionRow, transactions } from '../../../schema/moneyTables.ts';
import { LinkLine, Notice, page } from '../../web/page.tsx';
import {
  amountColumn,
  bookingColumns,
  currencyColumn,
  moneyColumns,
  more,
  timeColumn,
} from '../lists/columns.tsx';
import { type StaffList, type StaffPage, showLists } from '../lists/list.tsx';
import { payouts } from '../lists/payouts.tsx';
import { pathOf } from '../paths.ts';
import { framed, type PropertyRequest } from '../site.tsx';

const { audit, columns: names, figure: copy } = words;

const MOST_IN_FILE = 10_000;

/** A figure of the report: movements, payments that were not taken, or the fees of payouts. */
export type Figure =
  | MovedFigure
  | UntakenFigure
  | { readonly of: 'acquirerFees'; readonly currency: string };

/** The address of what stands behind a figure of some days. */
export function figurePath(property: string, { from, to }: Span, figure: Figure): string {
  const { of, ...narrowed } = figure;
  const said = Object.entries(narrowed).filter(([, value]) => value !== undefined);
  return pathOf('payments', { property, of, from, to, ...Object.fromEntries(said) });
}

/** Shows the payments behind a figure of the report, or all of them as a file (interface: Console). */
export async function showFigure(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = c.req.query();
  const today = localDate(propertyNow(property), property.timeZone);
  const read = readSpan({ from: asked['from'] ?? '', to: asked['to'] ?? '' }, today);
  if (!read.ok) {
    const title = copy.titles.taken;
    return page(
      c,
      422,
      framed(request, { title, here: 'report' }, <Notice kind="bad" text={read.error} />),
    );
  }
  const span = read.value;
  const figure = readFigure(asked, property.currency);
  const within = daysOf(property, span);
  const database = c.get('database');
  const total =
    figure.of === 'acquirerFees'
      ? await readFeesTotal(database, within, figure.currency)
      : await readTotal(database, within, figure);
  await othersTurn();
  return showLists(request, figurePage(property.id, { figure, span, within }), {
    before: <Total figure={figure} total={total} />,
    after: (
      <LinkLine href={pathOf('report', { property: property.id, ...span })} text={copy.back} />
    ),
  });
}

/** Reads a figure from the address of its page; what was taken, where it names none. */
function readFigure(asked: Readonly<Record<string, string>>, usual: string): Figure {
  const { actor, agency, brand, currency = usual, declineCode, of = '' } = asked;
  if (of === 'acquirerFees') return { of, currency };
  if (of === 'Declined' || of === 'Failed') return { of, currency, declineCode };
  const moved = (Object.keys(MOVED) as MovedFigure['of'][]).find((one) => one === of);
  const purposes: readonly TransactionRow['purpose'][] = transactions.purpose.enumValues;
  const purpose = purposes.find((one) => one === asked['purpose']);
  return { of: moved ?? 'taken', currency, actor, agency, brand, purpose };
}

interface Wanted {
  readonly figure: Figure;
  readonly span: Span;
  readonly within: Within;
}

function figurePage(property: string, { figure, span, within }: Wanted): StaffPage {
  const { currency, of } = figure;
  const address = new URL(figurePath(property, span, figure), 'http://console');
  const { property: _own, ...query } = Object.fromEntries(address.searchParams);
  return {
    path: 'payments',
    here: 'report',
    copy: {
      title: copy.titles[of],
      intro: copy.intro({ days: days(span.from, span.to), currency }),
    },
    query,
    lists: [listOf(figure, span, within)],
  };
}

function listOf(figure: Figure, { from, to }: Span, within: Within): StaffList<unknown> {
  const { caption, empty, titles } = copy;
  const said = {
    copy: { heading: titles[figure.of], caption, empty },
    file: `${figure.of}-${from}-${to}`,
    mostInFile: MOST_IN_FILE,
  };
  if (figure.of === 'acquirerFees') {
    const { currency } = figure;
    return {
      ...payouts,
      ...said,
      select: (scope, _nowMs, part) => selectPayouts(scope, part, { ...within, currency }),
    };
  }
  return isMoved(figure) ? movedList(said, within, figure) : untakenList(said, within, figure);
}

type Said = Pick<StaffList<unknown>, 'copy' | 'file' | 'mostInFile'>;

function movedList(said: Said, within: Within, figure: MovedFigure): StaffList<MovedRow> {
  return {
    ...said,
    name: 'moved',
    key: ({ atMs, bookingReference, sequence }) => [atMs, bookingReference, sequence],
    select: (_scope, _nowMs, part) => selectBehind(within, figure, part),
    columns: ({ shown }) => [
      more(timeColumn<MovedRow>(names.time, ({ atMs }) => atMs, within)),
      ...bookingColumns(shown),
      {
        name: names.what,
        text: ({ kind, purpose }) =>
          words.list.what({ kind: audit.movements[kind], purpose: words.purposes[purpose] }),
      },
      amountColumn(names.amount, ({ amountMinor }) => amountMinor),
      more(amountColumn<MovedRow>(names.feesInIt, ({ feeMinor }) => feeMinor)),
      currencyColumn,
      { name: names.card, isMore: true, text: cardCopy },
      { name: copy.by, isMore: true, text: whoCopy, cell: (row) => <bdi>{whoCopy(row)}</bdi> },
      { name: names.ofPayment, isForFiles: true, text: ({ chargeId }) => chargeId },
      { name: copy.refund, isForFiles: true, text: (row) => subjectOf(row, 'refund') },
      { name: copy.dispute, isForFiles: true, text: (row) => subjectOf(row, 'dispute') },
      {
        name: copy.acquirersId,
        isForFiles: true,
        text: ({ gatewayReference }) => gatewayReference,
      },
    ],
  };
}

function subjectOf({ subjectId, subjectKind }: MovedRow, kind: MovedRow['subjectKind']) {
  return subjectKind === kind ? subjectId : null;
}

function untakenList(said: Said, within: Within, figure: UntakenFigure): StaffList<UntakenRow> {
  return {
    ...said,
    name: 'untaken',
    key: ({ atMs, id }) => [atMs, id],
    select: (_scope, _nowMs, part) => selectUntakenOf(within, figure, part),
    columns: ({ shown }) => [
      more(timeColumn<UntakenRow>(names.time, ({ atMs }) => atMs, within)),
      ...bookingColumns(shown),
      { name: names.what, text: whatCopy },
      ...moneyColumns(),
      { name: names.card, isMore: true, text: cardCopy },
      {
        name: words.report.reasons.reason,
        text: ({ declineCode, status }) =>
          status === 'Declined' ? declineCopy(declineCode) : words.report.reasons.failed,
      },
      { name: words.report.reasons.code, isForFiles: true, text: ({ declineCode }) => declineCode },
      { name: names.ofPayment, isForFiles: true, text: ({ id }) => id },
    ],
  };
}

/** What the figure comes to, whatever of it the page shows. */
function Total({ figure, total }: { readonly figure: Figure; readonly total: FigureTotal }) {
  const { amountMinor, number } = total;
  const amount = money(amountMinor, figure.currency);
  const only = onlyOf(figure);
  return (
    <>
      <p>
        {copy.total({ number, amount })}
        {only !== '' && ` ${copy.only({ what: only })}`}
      </p>
      {number > MOST_IN_FILE && (
        <p class="soft">{copy.tooMany({ number: String(MOST_IN_FILE) })}</p>
      )}
    </>
  );
}

/** Whose cards they are: an agency's virtual ones, or those of guests. */
export function agencyCopy(agency: string | null): string {
  const { guests, unnamed } = words.report.parts;
  if (agency === null) return guests;
  return agency === 'virtual' ? unnamed : agency;
}

interface Narrowed
  extends Pick<MovedFigure, 'actor' | 'agency' | 'brand' | 'purpose'>,
    Pick<UntakenFigure, 'declineCode'> {
  readonly of: Figure['of'];
}

/** What of a figure alone is listed, in words; empty for all of it. */
function onlyOf(figure: Figure): string {
  const { actor, agency, brand, declineCode, purpose }: Narrowed = figure;
  const { noCard } = words.report.parts;
  const parts = [
    brand !== undefined && (brand === '' ? noCard : capitalisedBrand(brand)),
    agency !== undefined && agencyCopy(agency === '' ? null : agency),
    purpose !== undefined && words.purposes[purpose],
    actor !== undefined && whoCopy({ actor, actorName: null }),
    declineCode !== undefined && declineCopy(declineCode === '' ? null : declineCode),
  ];
  return parts.filter(Boolean).join(', ');
}
