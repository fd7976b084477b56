/** How large a chart is drawn, in its own units; it is shown as wide as there is room. */
const WIDTH = 240;
const HEIGHT = 80;
const GAP = 2;

/** One bar: what it is of, how high it is, and how that is written. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

/** A bar chart of values that are not negative, as a picture that tells in words what it is of. */
export function BarChart({
  name,
  bars,
  bad = false,
}: {
  /** What it shows and what that comes to: what is read out instead of it. */
  readonly name: string;
  readonly bars: readonly Bar[];
  /** It shows something that nobody wants. */
  readonly bad?: boolean;
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(1, bars.length);
  return (
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
            x={place(index * step + GAP / 2)}
            y={place(HEIGHT - height)}
            width={place(step - GAP)}
            height={place(height)}
          >
            <title>{`${label}: ${text}`}</title>
          </rect>
        );
      })}
      <line class="axis" x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} />
    </svg>
  );
}

/** What is not nothing is seen, however much higher others are. */
function heightOf(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(1, (value / most) * HEIGHT);
}

function place(units: number): string {
  return units.toFixed(2);
}
