import { sumOf } from '../../core/sum.ts';
import { wordFor } from '../../core/words/staff.ts';
import { money, shortAmount } from '../../desk/format.ts';
import { MOST_COUNTED, type Outcomes } from '../../desk/operations/outcomes.ts';
import { words } from '../../desk/words.ts';
import { ColumnChart } from '../web/chart.tsx';
import { Section } from '../web/page.tsx';
import { type Column, EmptyNote, Records } from '../web/table.tsx';

const { outcomes: copy } = words.ops;

/** Accepted and declined charges of the last hours, as charts and as a table. */
export function OutcomesPart({ outcomes }: { readonly outcomes: Outcomes }) {
  const { approved, cut, declines, failedByHour, hoursMs, volumes } = outcomes;
  const decided = approved + declines.byHour.reduce((sum, number) => sum + number, 0);
  const points = (byHour: readonly number[]) =>
    hoursMs.map((atMs, index) => ({ label: hourText(atMs), value: byHour[index] ?? 0 }));
  return (
    <Section id="outcomes" heading={copy.heading}>
      <p class="soft">
        {copy.intro}
        {cut && ` ${copy.cut({ number: String(MOST_COUNTED) })}`}
      </p>
      {decided > 0 && (
        <p>
          {copy.approved({
            approved: String(approved),
            decided: String(decided),
            percent: String(Math.round((100 * approved) / decided)),
          })}
        </p>
      )}
      <div class="charts">
        {volumes.map(({ currency, minorByHour, number, totalMinor }) => {
          const sum = money(totalMinor, currency);
          return (
            <ColumnChart
              id={`accepted-${currency}`}
              heading={copy.accepted({ currency })}
              sum={copy.charges({ number, sum })}
              name={copy.acceptedName({ currency, sum })}
              points={points(minorByHour)}
              text={(minor) => money(minor, currency)}
              axis={(minor) => shortAmount(minor, currency)}
            />
          );
        })}
        <CountChart id="declined" what={copy.declined} points={points(declines.byHour)} />
        <CountChart id="failed-hours" what={copy.failed} points={points(failedByHour)} />
      </div>
      {volumes.length === 0 && <EmptyNote text={copy.none} />}
      {declines.byCode.length > 0 && (
        <Records
          caption={copy.codes}
          columns={[
            { name: copy.code, text: ({ code }) => code },
            { name: copy.number, isNumber: true, text: ({ number }) => number },
            { name: copy.meaning, text: ({ code }) => wordFor(words.declines, code) ?? '' },
          ]}
          rows={declines.byCode}
        />
      )}
      <details>
        <summary>{copy.table}</summary>
        <Records
          caption={copy.hours}
          columns={hourColumns(outcomes)}
          rows={hoursMs.map((atMs, index) => ({ atMs, index }))}
        />
      </details>
    </Section>
  );
}

/** How often something bad happened, by the hour. */
function CountChart(chart: {
  readonly id: string;
  readonly what: string;
  readonly points: readonly { readonly label: string; readonly value: number }[];
}) {
  const { id, what, points } = chart;
  const number = String(sumOf(points, 'value'));
  return (
    <ColumnChart
      id={id}
      heading={what}
      sum={number}
      name={copy.byHour({ what, number })}
      points={points}
      text={String}
      axis={(value) => (Number.isInteger(value) ? String(value) : '')}
      bad
    />
  );
}

interface Hour {
  readonly atMs: number;
  readonly index: number;
}

function hourColumns({ declines, failedByHour, volumes }: Outcomes): Column<Hour>[] {
  return [
    { name: copy.hour, text: ({ atMs }) => hourText(atMs) },
    ...volumes.map(
      ({ currency, minorByHour }): Column<Hour> => ({
        name: copy.accepted({ currency }),
        isNumber: true,
        text: ({ index }) => money(minorByHour[index] ?? 0, currency),
      }),
    ),
    countColumn(copy.declined, declines.byHour),
    countColumn(copy.failed, failedByHour),
  ];
}

function countColumn(name: string, byHour: readonly number[]): Column<Hour> {
  return { name, isMore: true, isNumber: true, text: ({ index }) => byHour[index] ?? 0 };
}

/** The hour of an instant in UTC: `14:00`. */
function hourText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}
