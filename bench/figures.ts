import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/environment.ts';

const PAGE = path.join(root, 'bench/README.md');
const BEGIN = '<!-- written by `npm run bench -- --record` -->';
const END = '<!-- end of the figures -->';

/** A ratio of two runs on a busy machine may differ by this factor. */
export const NOISE = 1.6;

/** What a run found, as bench/README.md shows it. */
export interface Figure {
  readonly name: string;
  /** One value, or one at each number of connections. */
  readonly values: readonly number[];
  /** `KiB` or `×`. */
  readonly unit: string;
  readonly digits: number;
  readonly target: string;
  /** The documented value may be this many times as large or as small: what other work of the machine can do to it. */
  readonly tolerance: number;
}

/** The names of the figures that the page shows wrongly or lacks, each with what the run found. */
export function differences(page: string, figures: readonly Figure[]): string[] {
  const documented = shownIn(page);
  return figures
    .filter((figure) => !agrees(documented.get(figure.name), figure))
    .map((figure) => {
      const shown = documented.get(figure.name)?.join(' and ') ?? 'nothing';
      return `bench/README.md shows ${shown} for ${figure.name}; this run found ${texts(figure).join(' and ')}.`;
    });
}

/** The page with these figures in its table. */
export function withFigures(page: string, figures: readonly Figure[], day: string): string {
  const { before, after } = parts(page);
  const rows = figures.map(({ name, target, ...figure }) => {
    const [one = '', sixteen = ''] = texts(figure);
    return `| ${name} | ${one} | ${sixteen} | ${target} |`;
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

function agrees(shown: readonly number[] | undefined, { values, tolerance }: Figure): boolean {
  return (
    shown?.length === values.length &&
    values.every((value, at) => {
      const factor = value / (shown[at] ?? 0);
      return factor <= tolerance && factor >= 1 / tolerance;
    })
  );
}

/** The values of each row of the page's table. */
function shownIn(page: string): ReadonlyMap<string, readonly number[]> {
  const rows = parts(page).table.matchAll(
    /^\| (?<name>[^|]+) \| (?<one>[^|]*) \| (?<other>[^|]*) \|/gm,
  );
  return new Map(
    [...rows].map(({ groups = {} }) => [
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

function texts({ values, digits, unit }: Pick<Figure, 'values' | 'digits' | 'unit'>): string[] {
  return values.map((value) => `${value.toFixed(digits)} ${unit}`);
}
