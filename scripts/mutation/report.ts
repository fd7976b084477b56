/** What mutation tests say of the changes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../environment.ts';
import type { Change } from './changes.ts';
import type { Outcomes } from './outcomes.ts';

/** Whether it only runs when a module is loaded, once for all tests: no test can tell. */
function isOfLoading({ id }: Change, { loaded, tried }: Outcomes): boolean {
  return loaded.has(id) && !tried.has(id);
}

/** Says how many changes were noticed, for each file and in all. */
export function summary(changes: readonly Change[], outcomes: Outcomes): string {
  const counted = changes.filter((change) => !isOfLoading(change, outcomes));
  const files = [...new Set(counted.map(({ fileName }) => fileName))];
  const line = (name: string, own: readonly Change[]) => {
    const noticed = own.filter(({ id }) => outcomes.noticed.has(id)).length;
    const share = ((100 * noticed) / own.length).toFixed(1);
    return `${share.padStart(5)} %  ${String(noticed).padStart(5)} of ${String(own.length).padStart(5)}  ${name}`;
  };
  return [
    ...files.map((file) =>
      line(
        file,
        counted.filter(({ fileName }) => fileName === file),
      ),
    ),
    line('all', counted),
  ].join('\n');
}

/** Lists each change that no test noticed: where it is, and what it makes of what. */
export function unnoticed(changes: readonly Change[], outcomes: Outcomes): string {
  const left = changes.filter(
    (change) => !outcomes.noticed.has(change.id) && !isOfLoading(change, outcomes),
  );
  return left
    .map((change) => {
      const { fileName, id, location, replacement } = change;
      const why = outcomes.tried.has(id) ? '' : ' (no test comes by)';
      return `${fileName}:${location.start.line + 1}:${location.start.column + 1}${why}\n- ${inOneLine(textOf(change))}\n+ ${inOneLine(replacement)}\n`;
    })
    .join('\n');
}

/** What the source has in the place of a change. */
function textOf({ fileName, location: { start, end } }: Change): string {
  const lines = readFileSync(path.join(root, fileName), 'utf8').split('\n');
  const own = lines.slice(start.line, end.line + 1);
  own.push((own.pop() ?? '').slice(0, end.column));
  own[0] = (own[0] ?? '').slice(start.column);
  return own.join('\n');
}

function inOneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').slice(0, 200);
}
