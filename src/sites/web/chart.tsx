import { words } from '../../desk/words.ts';

/** A chart's size in its own units, and where its columns stand; the page scales it to the available width. */
const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 46;
const RIGHT = WIDTH - 4;
const TOP = 10;
const BOTTOM = 128;

/** One column; a value of null has none. */
export interface Point {
  readonly label: string;
  readonly value: number | null;
}

/** A chart of columns over time, with values at its axis and a text for screen readers. */
export function ColumnChart({
  id,
  heading,
  sum,
  name = `${heading}: ${sum}`,
  points,
  text,
  axis = text,
  most,
  bad = false,
}: {
  /** Unique on the page. */
  readonly id: string;
  readonly heading: string;
  /** The whole, beside the heading. */
  readonly sum: string;
  /** What screen readers call it; by default the heading with the sum. */
  readonly name?: string;
  readonly points: readonly Point[];
  readonly text: (value: number) => string;
  /** A value at the axis; empty for none. */
  readonly axis?: (value: number) => string;
  /** The highest value of the axis; by default it fits the values. */
  readonly most?: number;
  readonly bad?: boolean;
}) {
  const values = points.map(({ value }) => value ?? 0);
  const highest = most ?? Math.max(0, ...values);
  const ceiling = most ?? roundedUp(highest);
  // Where nothing was, no number is the height of anything.
  const ticks = highest > 0 ? [0, ceiling / 2, ceiling] : [0];
  return (
    <figure>
      <figcaption>
        <span>{heading}</span>
        <span>{sum}</span>
      </figcaption>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        focusable="false"
      >
        <title id={`${id}-title`}>{name}</title>
        <desc id={`${id}-text`}>{described(points, text)}</desc>
        {ticks.map((tick) => (
          <>
            <path class="axis" d={`M${LEFT} ${heightAt(tick, ceiling)}H${RIGHT}`} />
            <text x={LEFT - 4} y={heightAt(tick, ceiling) + 4} text-anchor="end">
              {axis(tick)}
            </text>
          </>
        ))}
        <path class={bad ? 'bar bad' : 'bar'} d={columnsOf(values, ceiling)} />
        <text x={LEFT} y={HEIGHT - 4}>
          {points[0]?.label}
        </text>
        <text x={RIGHT} y={HEIGHT - 4} text-anchor="end">
          {points.length > 1 && points.at(-1)?.label}
        </text>
      </svg>
    </figure>
  );
}

/** One path for all columns, so that a chart of a month weighs little. What is not above zero has no column. */
function columnsOf(values: readonly number[], ceiling: number): string {
  const step = (RIGHT - LEFT) / Math.max(1, values.length);
  return values
    .map((value, index) => {
      if (value <= 0) return '';
      // At least one unit high, so that it stays visible.
      const top = Math.min(BOTTOM - 1, heightAt(value, ceiling));
      const left = tenths(LEFT + index * step + step * 0.1);
      return `M${left} ${BOTTOM}V${top}h${tenths(step * 0.8)}V${BOTTOM}z`;
    })
    .join('');
}

function heightAt(value: number, ceiling: number): number {
  return tenths(BOTTOM - (value / ceiling) * (BOTTOM - TOP));
}

function tenths(units: number): number {
  return Math.round(units * 10) / 10;
}

/** The next round number: 1, 2, 4, 6 or 10 times a power of ten. */
function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].map((step) => step * power).find((round) => round >= value) ?? value;
}

function described(points: readonly Point[], text: (value: number) => string): string {
  const highest = points.reduce<Point | undefined>(
    (best, point) => ((point.value ?? 0) > (best?.value ?? 0) ? point : best),
    undefined,
  );
  const { chart: copy } = words;
  const range = copy.range({ from: points[0]?.label ?? '', to: points.at(-1)?.label ?? '' });
  const most = highest && copy.highest({ value: text(highest.value ?? 0), label: highest.label });
  return `${range} ${most ?? copy.nothing}`;
}
