/**
 * `npm run check:rooms` checks every import of `src` against `.dependency-cruiser.ts`, and that docs/architecture.md
 * shows the actual imports. `npm run draw:rooms` updates that page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { house, ROOMS } from '../.dependency-cruiser.ts';
import { root } from './environment.ts';

const page = path.join(root, 'docs/architecture.md');
const BEGIN = '<!-- drawn by `npm run draw:rooms` -->';
const END = '<!-- end of the drawing -->';

/** The room of a file; `app` for the files that wire everything. */
function roomOf(file: string): string {
  return /^src\/(?<room>[^/]+)\//.exec(file)?.groups?.['room'] ?? 'app';
}

/** Which rooms each room imports. */
function importsBetween({ modules }: ICruiseResult): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map(['app', ...ROOMS].map((room) => [room, new Set<string>()]));
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)];
      if (from !== to && resolved.startsWith('src/')) imports.get(from)?.add(to);
    }
  }
  return imports;
}

type Imports = ReturnType<typeof importsBetween>;

/** A flow chart from top to bottom, without arrows that follow from other arrows. */
function drawing(imports: Imports): string {
  // Rooms that were seen are not entered again: a forbidden circle of rooms must not recurse for ever.
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(imports.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  const arrows = [...imports].flatMap(([from, next]) =>
    [...next]
      .filter((to) => ![...next].some((other) => other !== to && reaches(other, to)))
      .toSorted((one, other) => ROOMS.indexOf(one) - ROOMS.indexOf(other))
      .map((to) => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TB', ...arrows, '```'].join('\n');
}

/** Every room with all the rooms that it imports. */
function table(imports: Imports): string {
  const rows = [...imports].map(
    ([from, to]) => `| \`${from}\` | ${ROOMS.filter((room) => to.has(room)).join(', ') || '–'} |`,
  );
  return ['| room | imports |', '|---|---|', ...rows].join('\n');
}

/** The page with the drawing of these imports. */
function redrawn(text: string, imports: Imports): string {
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined)
    throw new Error(`docs/architecture.md lacks the marker ${BEGIN} or ${END}`);
  return `${before}${BEGIN}\n\n${drawing(imports)}\n\n${table(imports)}\n\n${END}${after}`;
}

const { options = {}, ...ruleSet } = house;
const { output } = await cruise(['src'], { ...options, validate: true, ruleSet });
if (typeof output === 'string') throw new Error('dependency-cruiser returned no result');
const { violations } = output.summary;
for (const { from, to, rule } of violations) {
  console.error(`${rule.name}: ${from} imports ${to}. ${commentOf(rule.name)}`);
}
const text = readFileSync(page, 'utf8');
const drawn = redrawn(text, importsBetween(output));
if (process.argv.includes('--draw')) writeFileSync(page, drawn);
else if (drawn !== text)
  console.error('docs/architecture.md is out of date. Run npm run draw:rooms.');
if (violations.length > 0 || (drawn !== text && !process.argv.includes('--draw'))) process.exit(1);
console.log(`${output.modules.length} files, ${ROOMS.length} rooms: every import leads downwards`);

function commentOf(name: string): string {
  return house.forbidden?.find((rule) => rule.name === name)?.comment ?? '';
}
