import { money } from '../../../core/format.ts';
import { EmptyNote, Table } from '../../web/table.tsx';
import { type Bar, BarChart } from '../charts.tsx';
import type { Outcomes, Volume } from '../overview.ts';
import { MOST_COUNTED } from '../store.ts';

/** Accepted and declined charges of the last hours, as charts and as a table. */
export function OutcomesPart({ outcomes }: { readonly outcomes: Outcomes }) {
  const { approved, cut, declines, failedByHour, hoursMs, volumes } = outcomes;
  const decided = approved + total(declines.byHour);
  return (
    <section aria-labelledby="outcomes">
      <h2 id="outcomes">Last 24 hours</h2>
      <p class="soft">
        Charges and captures by the hour of their outcome, with fees and before refunds. A schedule
        that will be retried counts as one decline, at its last attempt.
        {cut && ` Only the newest ${MOST_COUNTED} of each kind are counted.`}
      </p>
      {decided > 0 && (
        <p>
          Banks approved {approved} of {decided} charges and holds (
          {Math.round((100 * approved) / decided)}&nbsp;%).
        </p>
      )}
      <div class="charts">
        {volumes.map((volume) => (
          <VolumeChart volume={volume} hoursMs={hoursMs} />
        ))}
        <CountChart heading="Declined" byHour={declines.byHour} hoursMs={hoursMs} />
        <CountChart heading="Failed" byHour={failedByHour} hoursMs={hoursMs} />
      </div>
      {volumes.length === 0 && <EmptyNote text="No charge was accepted." />}
      <DeclineCodes byCode={declines.byCode} />
      <details>
        <summary>Show as table</summary>
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
      sum={`${number} ${number === 1 ? 'charge' : 'charges'}, ${sum}`}
      name={`Accepted by hour in ${currency}: ${sum} in all`}
      bars={hoursMs.map((atMs, index) => {
        const value = minorByHour[index] ?? 0;
        return { label: hourText(atMs), value, text: money(value, currency) };
      })}
      axisText={(minor) => money(minor, currency)}
    />
  );
}

/** How often something bad happened, by the hour. */
function CountChart({
  heading,
  byHour,
  hoursMs,
}: {
  readonly heading: string;
  readonly byHour: readonly number[];
  readonly hoursMs: readonly number[];
}) {
  return (
    <Chart
      heading={heading}
      sum={String(total(byHour))}
      name={`${heading} by hour: ${total(byHour)} in all`}
      bars={hoursMs.map((atMs, index) => {
        const value = byHour[index] ?? 0;
        return { label: hourText(atMs), value, text: String(value) };
      })}
      axisText={String}
      bad
    />
  );
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function Chart({
  heading,
  sum,
  name,
  bars,
  axisText,
  bad = false,
}: {
  readonly heading: string;
  readonly sum: string;
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly axisText: (value: number) => string;
  readonly bad?: boolean;
}) {
  return (
    <figure>
      <figcaption>
        <span>{heading}</span>
        <span>{sum}</span>
      </figcaption>
      <BarChart name={name} bars={bars} axisText={axisText} bad={bad} />
      <p class="ends" aria-hidden="true">
        <span>{bars[0]?.label} UTC</span>
        <span>{bars.at(-1)?.label} UTC</span>
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
  const { declines, failedByHour, hoursMs, volumes } = outcomes;
  const accepted = volumes.map(({ currency }) => `#Accepted, ${currency}`);
  return (
    <Table
      caption="Accepted, declined and failed by hour, UTC"
      columns={['Hour', ...accepted, '#Declined', '#Failed']}
    >
      {hoursMs.map((atMs, index) => (
        <tr>
          <th scope="row">{hourText(atMs)}</th>
          {volumes.map(({ currency, minorByHour }) => (
            <td class="number">{money(minorByHour[index] ?? 0, currency)}</td>
          ))}
          <td class="number">{declines.byHour[index] ?? 0}</td>
          <td class="number">{failedByHour[index] ?? 0}</td>
        </tr>
      ))}
    </Table>
  );
}

/** The hour of an instant in UTC: `14:00`. */
function hourText(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}
