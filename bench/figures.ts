import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/environment.ts';

const PAGE = path.join(root, 'bench/README.md');
const BEGIN = '<!-- written by `npm run bench -- --record` -->';
const END = '<!-- end of the figures -->';

/** A ratio of two runs on a busy machine may differ by this factor. */
export const NOISE = 1.6;

/** By so much a ratio may miss its target: on one machine it differs by a tenth from run to run. */
const MISS = 1.1;

/** What a run found, as bench/README.md shows it. */
export interface Figure {
  readonly name: string;
  /** One value, or one at each number of connections. */
  readonly values: readonly number[];
  /** `KiB`, `ms` or `×`. */
  readonly unit: string;
  readonly digits: number;
  /** The bound that each value keeps: at least so much of a ratio, at most so much of a size; null for none. */
  readonly target: { readonly bound: 'least' | 'most'; readonly value: number } | null;
  /** The documented value may be this many times as large or as small: what other work of the machine can do to it. */
  readonly tolerance: number;
}

/** What the page shows of each figure that it shows wrongly, lacks or makes up, and what the run found. */
export function differences(page: string, figures: readonly Figure[]): string[] {
  const documented = shownIn(page);
  const found = new Map(figures.map((figure) => [figure.name, figure]));
  return [...new Set([...found.keys(), ...documented.keys()])]
    .filter((name) => !agrees(documented.get(name), found.get(name)))
    .map((name) => {
      const shown = documented.get(name)?.join(' and ') ?? 'nothing';
      const figure = found.get(name);
      return `bench/README.md shows ${shown} for ${name}; this run found ${figure ? texts(figure).join(' and ') : 'nothing'}.`;
    });
}

/** What each figure that misses its target by more than noise found, and what is wanted. A size has no noise. */
export function missedTargets(figures: readonly Figure[]): string[] {
  return figures
    .filter(({ target, tolerance, values }) => {
      const noise = tolerance < MISS ? 1 : MISS;
      return values.some((value) =>
        target?.bound === 'least'
          ? value * noise < target.value
          : target && value > target.value * noise,
      );
    })
    .map((figure) => `${figure.name}: ${texts(figure).join(' and ')} misses ${targetOf(figure)}.`);
}

/** The page with these figures in its table. */
export function withFigures(page: string, figures: readonly Figure[], day: string): string {
  const { before, after } = parts(page);
  const rows = figures.map((figure) => {
    const [one = '', sixteen = ''] = texts(figure);
    return `| ${figure.name} | ${one} | ${sixteen} | ${targetOf(figure)} |`;
  });
  const table = ['| figure | 1 connection | 16 connections | target |', '|---|---:|---:|---:|'];
  return `${before}${BEGIN}\n\nOf ${day}.\n\n${[...table, ...rows].join('\n')}\n\n${END}${after}`;
}

/** Compares bench/README.md with a run. */
export function undocumented(figures: readonly Figure[]): string[] {
  return differences(readFileSync(PAGE, 'utf8'), figures);
}

/** Writes what a run found to bench/README.md. */
export function record(figures: readonly Figure[], day: string): void {
  writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), figures, day));
}

function agrees(shown: readonly number[] = [], figure?: Figure): boolean {
  return (
    figure?.values.length === shown.length &&
    shown.every((value, at) => {
      const factor = (figure.values[at] ?? 0) / value;
      return factor <= figure.tolerance && factor >= 1 / figure.tolerance;
    })
  );
}

/** The values of each row of the page's table, below its head. */
function shownIn(page: string): Map<string, readonly number[]> {
  const rows = parts(page).table.matchAll(
    /^\| (?<name>[^|]+) \| (?<one>[^|]*) \| (?<other>[^|]*) \|/gm,
  );
  return new Map(
    [...rows]
      .slice(1)
      .map(({ groups = {} }) => [
        groups['name'] ?? '',
        [groups['one'], groups['other']].flatMap((text) => (text ? [Number.parseFloat(text)] : [])),
      ]),
  );
}

function parts(page: string): { before: string; table: string; after: string } {
  const [before = '', rest] = page.split(BEGIN);
  const [table = '', after] = (rest ?? '').split(END);
  if (after === undefined) throw new Error(`bench/README.md lacks the marker ${BEGIN} or ${END}.`);
  return { before, table, after };
}

function targetOf({ target, unit }: Pick<Figure, 'target' | 'unit'>): string {
  return target === null ? '' : `${target.value} ${unit}`;
}

function texts({ values, digits, unit }: Pick<Figure, 'values' | 'digits' | 'unit'>): string[] {
  return values.map((value) => `${value.toFixed(digits)} ${unit}`);
}
