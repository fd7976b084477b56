import type { Child } from 'hono/jsx';
import { money } from '../desk/format.ts';
import type { MoneyState } from '../desk/moneyState.ts';
import { words } from '../desk/words.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse, routeNotFound } from '../http/problem.ts';
import { StateBadge } from '../sites/web/badge.tsx';
import { ColumnChart } from '../sites/web/chart.tsx';
import { Fact, Field, InputField } from '../sites/web/forms.tsx';
import { Head, LinkLine, Notice, page, pagePolicy, Section, Tabs } from '../sites/web/page.tsx';
import { type Column, CsvLink, Instant, TableSection } from '../sites/web/table.tsx';

/** `GET /dev/kit`, on a local start: each part of the kit of the staff's pages in its states, to look at and to measure. */
export function registerKit(api: Api): void {
  api.get('/dev/kit', (c) => {
    if (!c.get('config').local) return problemResponse(c, routeNotFound());
    c.header('Content-Security-Policy', pagePolicy());
    return page(c, 200, <Kit />);
  });
}

function Kit() {
  return (
    <html lang="en">
      <Head title="Kit" style="/console/console.css" />
      <body>
        <header>
          <h1>Kit</h1>
          <search>
            <form class="actions find">
              <input type="search" aria-label="Find a booking" value="Nguyễn" />
              <button type="submit">Find</button>
            </form>
          </search>
          <form class="actions">
            <span>Olga Manager (manager)</span>
            <button type="submit">Sign out</button>
          </form>
        </header>
        <Tabs name="Tabs" tabs={TABS} />
        <main>
          <Said />
          <Section id="badges" heading="Badges">
            <p class="row">
              {(Object.keys(words.moneyStates) as MoneyState[]).map((state) => (
                <StateBadge state={state} />
              ))}
            </p>
            <StateBadge state="disputed" text="Disputed – answer overdue since 7 Dec 2026, 20:22" />
          </Section>
          <Forms />
          <div class="columns">
            <Facts />
            <Section id="folded" heading="Details">
              <details>
                <summary>Charge a card now</summary>
                <p>What was folded.</p>
              </details>
              <LinkLine href="#folded" text="Next 20" />
              <LinkLine class="button quiet" href="#folded" text="A link like a button" />
            </Section>
          </div>
          <Tables />
          <Charts />
        </main>
      </body>
    </html>
  );
}

const TABS = [
  { name: 'Today', href: '#badges', isCurrent: true },
  { name: 'Needs attention', href: '#badges', isCurrent: false, count: '20+' },
  { name: 'To reconcile', href: '#badges', isCurrent: false, count: '3' },
];

function Said() {
  return (
    <>
      <Notice kind="good" text="The card was charged." />
      <Notice kind="info" text="This is more than what is due." />
      <Notice kind="bad">
        <ul>
          <li>Enter an amount, such as 150.00.</li>
          <li>Choose a time to come.</li>
        </ul>
      </Notice>
    </>
  );
}

function Forms() {
  return (
    <Section id="forms" heading="Fields and buttons">
      <form class="action">
        <InputField id="plain" label="A field" value="150.00" />
        <InputField id="wrong" label="A wrong one" value="much" error="Enter an amount." />
        <InputField id="day" label="A day" type="date" value="2027-02-14" />
        <InputField id="file" label="A file" type="file" />
        <Field id="choice" label="One of several">
          <select id="choice">
            <option>As agreed when the card was saved (guest not present)</option>
          </select>
        </Field>
        <fieldset class="field">
          <legend>One of two</legend>
          {['Yes', 'No: it is to be paid another way'].map((text, index) => (
            <label class="choice">
              <input type="radio" name="two" checked={index === 0} /> {text}
            </label>
          ))}
        </fieldset>
        <button type="submit">A button</button>
        <button type="submit" disabled>
          One that waits
        </button>
      </form>
      <form class="actions">
        <input aria-label="A reason" placeholder="Reason" />
        <button type="submit">Accept</button>
      </form>
    </Section>
  );
}

function Facts() {
  return (
    <Section id="facts" heading="Facts">
      <dl>
        <Fact name="Guest" typed>
          {GUEST}
        </Fact>
        <Fact name="Paid, after refunds">{inAud(-12_345_678)}</Fact>
        <Fact name="Due" due>
          <strong>{inAud(123_456_789_012)}</strong>
        </Fact>
      </dl>
    </Section>
  );
}

const inAud = (minor: number) => money(minor, 'AUD');

const GUEST = 'Wolfeschlegelsteinhausenbergerdorff, عبد الرحمن 太郎';

interface Row {
  readonly id: string;
  readonly state: MoneyState;
  readonly minor: number;
}

const ROWS: readonly Row[] = [
  { id: 'RES-1', state: 'paid', minor: 45_000 },
  { id: 'HAF-2026-000000000000000123456789', state: 'partlyRefunded', minor: 123_456_789_012 },
  { id: 'RES-3', state: 'disputed', minor: -7_500 },
];

const DAYS: readonly Row[] = [450_000, 1_234_567, -7_500].map((minor, at) => ({
  id: `${at + 12} Feb 2027`,
  state: 'paid',
  minor,
}));

const amount = (name: string): Column<Row> => ({
  name,
  isNumber: true,
  text: ({ minor }) => inAud(minor),
});

const columns: readonly Column<Row>[] = [
  { name: 'Time', isMore: true, cell: () => <Instant atMs={0} timeZone="Australia/Perth" /> },
  {
    name: 'Booking',
    cell: ({ id }) => (
      <>
        <a href="#list">
          <bdi>{id}</bdi>
        </a>{' '}
        <bdi>{GUEST}</bdi>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  amount('Amount'),
  { ...amount('of which fees'), isMore: true },
  { name: 'Card', isMore: true, text: () => 'American Express 0005' },
  { name: 'Note', isMore: true, text: () => 'The guest was asked for another card: wait for it.' },
  {
    name: 'Actions',
    cell: ({ id }) => (
      <a class="quiet" href="#list">
        Refund<span class="unseen"> {id}</span>
      </a>
    ),
  },
];

function Tables() {
  const names = ['Payments', 'Declined', 'Failed', 'Refunds', 'Disputes', 'Fees'];
  const numbers = [
    { name: 'Day', text: ({ id }: Row) => id },
    amount('Taken'),
    ...names.map((name) => ({ ...amount(name), isMore: true })),
    amount('Net'),
  ];
  const texts = { caption: 'The latest first', rows: ROWS, empty: '' };
  return (
    <>
      <TableSection id="list" heading="A list" {...texts} columns={columns}>
        <CsvLink path="/dev/kit" />
      </TableSection>
      <TableSection id="short" heading="A short one" {...texts} columns={columns.slice(1, 4)} />
      <TableSection id="report" heading="A report" {...texts} rows={DAYS} columns={numbers} />
      <TableSection
        id="none"
        heading="An empty one"
        {...texts}
        rows={[]}
        columns={[]}
        empty={NONE}
      />
    </>
  );
}

const NONE = 'No payment failed.';

function Charts(): Child {
  const points = ['1 Feb', '2 Feb', '3 Feb', '28 Feb'].map((label, at) => ({
    label,
    value: [450_000, 0, null, 1_234_567][at] ?? null,
  }));
  const taken = { heading: 'Taken, AUD', sum: inAud(1_684_567), points, text: inAud };
  return (
    <Section id="charts" heading="Charts">
      <div class="charts">
        <ColumnChart id="taken" {...taken} />
        <ColumnChart id="declined" {...taken} heading="Declined" bad />
        <ColumnChart id="nothing" {...taken} heading="Nothing" sum="0" points={[]} />
      </div>
    </Section>
  );
}
