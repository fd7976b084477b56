import { figures, money, percent, shortAmount } from '../../../desk/format.ts';
import type { Report } from '../../../desk/reports/report.ts';
import { acceptanceOf, type ReportLine } from '../../../desk/reports/rules.ts';
import { words } from '../../../desk/words.ts';
import { ColumnChart } from '../../web/chart.tsx';
import { Section } from '../../web/page.tsx';

const { report: copy } = words;

export function Charts({
  report: { currency, rows, stepName, total },
}: Readonly<{ report: Report }>) {
  const points = (value: (line: ReportLine) => number | null) =>
    rows.map(({ line, shortName }) => ({ label: shortName, value: value(line) }));
  const amount = {
    text: (minor: number) => money(minor, currency),
    axis: (minor: number) => shortAmount(minor, currency),
  };
  const acceptance = acceptanceOf(total);
  return (
    <Section id="charts" heading={copy.by({ step: copy.steps[stepName] })}>
      <div class="charts">
        <ColumnChart
          id="taken"
          heading={copy.takenIn({ currency })}
          sum={figures(total.takenMinor, currency)}
          points={points(({ takenMinor }) => takenMinor)}
          {...amount}
        />
        <ColumnChart
          id="acceptance"
          heading={copy.acceptance}
          sum={acceptance === null ? '–' : percent(acceptance)}
          points={points(acceptanceOf)}
          most={1}
          text={percent}
          axis={(share) => `${share * 100}\u00a0%`}
        />
        <ColumnChart
          id="untaken"
          heading={copy.untaken}
          sum={String(total.declined + total.failed)}
          points={points(({ declined, failed }) => declined + failed)}
          text={String}
          axis={(number) => (Number.isInteger(number) ? String(number) : '')}
          bad
        />
        <ColumnChart
          id="refunded"
          heading={copy.refundedIn({ currency })}
          sum={figures(total.refundedMinor, currency)}
          points={points(({ refundedMinor }) => refundedMinor)}
          {...amount}
        />
      </div>
    </Section>
  );
}
