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
  typedColumn,
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
export function figurePath(property: string, span: Span, figure: Figure): string {
  return pathOf('payments', { property, ...queryOf(span, figure) });
}

function queryOf({ from, to }: Span, { of, ...narrowed }: Figure): Record<string, string> {
  const said = Object.entries(narrowed).filter(([, value]) => value !== undefined);
  return { of, from, to, ...Object.fromEntries(said) };
}

/** Shows the payments behind a figure of the report, or all of them as a file (interface: Console). */
export async function showFigure(request: PropertyRequest): Promise<Response> {
  const { c, property } = request;
  const asked = c.req.query();
  const today = localDate(propertyNow(property), property.timeZone);
  const read = readSpan({ from: asked['from'] ?? '', to: asked['to'] ?? '' }, today);
  if (!read.ok) {
    const titled = { title: copy.titles.taken, here: 'report' };
    return page(c, 422, framed(request, titled, <Notice kind="bad" text={read.error} />));
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
  return showLists(request, figurePage(figure, span, within), {
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

function figurePage(figure: Figure, span: Span, within: Within): StaffPage {
  const { currency, of } = figure;
  const { from, to } = span;
  const { caption, empty } = copy;
  const title = copy.titles[of];
  const said = {
    copy: { heading: title, caption, empty },
    file: `${of}-${from}-${to}`,
    mostInFile: MOST_IN_FILE,
  };
  return {
    path: 'payments',
    here: 'report',
    copy: { title, intro: copy.intro({ days: days(from, to), currency }) },
    query: queryOf(span, figure),
    lists: [listOf(said, within, figure)],
  };
}

type Said = Pick<StaffList<unknown>, 'copy' | 'file' | 'mostInFile'>;

function listOf(said: Said, within: Within, figure: Figure): StaffList<unknown> {
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
      more(typedColumn<MovedRow>(copy.by, whoCopy)),
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
