import { money } from '../../../core/format.ts';
import { EmptyNote, Table } from '../../web/table.tsx';
import { type Bar, BarChart } from '../charts.tsx';
import type { Outcomes, Volume } from '../readOverview.ts';
import { MOST_COUNTED } from '../store.ts';

/** Accepted and declined charges of the last hours, as charts and as a table. */
export function OutcomesPart({ outcomes }: { readonly outcomes: Outcomes }) {
  const { cut, declines, hoursMs, volumes } = outcomes;
  const declined = declines.byHour.reduce((sum, number) => sum + number, 0);
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes">Last 24 hours</h2>
      <p class="soft">
        Charges and captures by the hour of their outcome, with fees and before refunds. A schedule
        that will be retried counts as one decline, at its last attempt.
        {cut && ` Only the newest ${MOST_COUNTED} of each kind are counted.`}
      </p>
      <div class="charts">
        {volumes.map((volume) => (
          <VolumeChart volume={volume} hoursMs={hoursMs} />
        ))}
        <Chart
          heading="Declined"
          sum={String(declined)}
          name={`Declined by hour: ${declined} in all`}
          bars={hoursMs.map((atMs, index) => {
            const value = declines.byHour[index] ?? 0;
            return { label: hourText(atMs), value, text: String(value) };
          })}
          bad
        />
      </div>
      {volumes.length === 0 && <EmptyNote text="No charge was accepted." />}
      <DeclineCodes byCode={declines.byCode} />
      <details>
        <summary>The same as a table</summary>
        <HoursTable outcomes={outcomes} />
      </details>
    </section>
  );
}

function VolumeChart({
  volume,
  hoursMs,
}: {
  readonly volume: Volume;
  readonly hoursMs: readonly number[];
}) {
  const { currency, minorByHour, number, totalMinor } = volume;
  const sum = money(totalMinor, currency);
  return (
    <Chart
      heading={`Accepted, ${currency}`}
      sum={`${sum} in ${number}`}
      name={`Accepted by hour in ${currency}: ${sum} in all`}
      bars={hoursMs.map((atMs, index) => {
        const value = minorByHour[index] ?? 0;
        return { label: hourText(atMs), value, text: money(value, currency) };
      })}
    />
  );
}

function Chart({
  heading,
  sum,
  name,
  bars,
  bad = false,
}: {
  readonly heading: string;
  readonly sum: string;
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly bad?: boolean;
}) {
  return (
    <figure>
      <figcaption>
        <span>{heading}</span>
        <span>{sum}</span>
      </figcaption>
      <BarChart name={name} bars={bars} bad={bad} />
      <p class="ends" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
    </figure>
  );
}

function DeclineCodes({ byCode }: { readonly byCode: Outcomes['declines']['byCode'] }) {
  if (byCode.length === 0) return null;
  return (
    <Table caption="Declines by code" columns={['Code', '#Number']}>
      {byCode.map(({ code, number }) => (
        <tr>
          <th scope="row">{code}</th>
          <td class="number">{number}</td>
        </tr>
      ))}
    </Table>
  );
}

function HoursTable({ outcomes }: { readonly outcomes: Outcomes }) {
  const { declines, hoursMs, volumes } = outcomes;
  const accepted = volumes.map(({ currency }) => `#Accepted, ${currency}`);
  return (
    <Table
      caption="Accepted and declined by hour, UTC"
      columns={['Hour', ...accepted, '#Declined']}
    >
      {hoursMs.map((atMs, index) => (
        <tr>
          <th scope="row">{hourText(atMs)}</th>
          {volumes.map(({ currency, minorByHour }) => (
            <td class="number">{money(minorByHour[index] ?? 0, currency)}</td>
          ))}
          <td class="number">{declines.byHour[index] ?? 0}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The hour of an instant in UTC: `14:00`. */
function hourText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}
