/** A chart's size in its own units; the page scales it to the available width. */
const WIDTH = 240;
const HEIGHT = 80;
const GAP = 2;

/** One bar: its label, its value, and the value as text. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

/** A bar chart of values that are zero or more, with the values of its axis, and a text for screen readers. */
export function BarChart({
  name,
  bars,
  axisText,
  bad = false,
}: {
  /** The chart's subject and total, which screen readers read out. */
  readonly name: string;
  readonly bars: readonly Bar[];
  /** Writes a value of the axis. */
  readonly axisText: (value: number) => string;
  /** Whether its values are bad news, such as declines. */
  readonly bad?: boolean;
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <div class="plot">
      <p class="scale" aria-hidden="true">
        <span>{axisText(most)}</span>
        <span>{axisText(0)}</span>
      </p>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={name}
        focusable="false"
      >
        <title>{name}</title>
        {bars.map(({ label, value, text }, index) => {
          const height = heightOf(value, most);
          return (
            <rect
              class={bad ? 'bar bad' : 'bar'}
              x={coordinate(index * step + GAP / 2)}
              y={coordinate(HEIGHT - height)}
              width={coordinate(step - GAP)}
              height={coordinate(height)}
            >
              <title>{`${label}: ${text}`}</title>
            </rect>
          );
        })}
        {[0, HEIGHT].map((y) => (
          <line class="axis" x1="0" y1={y} x2={WIDTH} y2={y} />
        ))}
      </svg>
    </div>
  );
}

/** Draws every value above zero at least one unit high, so that it stays visible. */
function heightOf(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(1, (value / most) * HEIGHT);
}

function coordinate(units: number): string {
  return units.toFixed(2);
}
