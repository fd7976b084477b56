import { digestOf } from '../../core/digest.ts';
import { identityOf, type StatementLine } from './rules/lines.ts';

/** How many bytes of a digest are an id. */
const ID_BYTES = 16;

/** How many digests are made at once. */
const AT_ONCE = 1_000;

/**
 * The ids of lines: the same for the same line of another file, and in no two files for different ones. Lines of one file
 * that are equal are told apart by their count. Of the largest statement, no other texts are kept than the ids.
 */
export async function lineIds(
  propertyId: string,
  lines: readonly StatementLine[],
): Promise<string[]> {
  const ids: string[] = [];
  const counts = new Map<string, number>();
  const nth = (line: StatementLine, count: number) => idOf(propertyId, identityOf(line), count);
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE);
    const firsts = await Promise.all(some.map((line) => nth(line, 1)));
    const repeated = firsts.map((first, index) => {
      const line = some[index];
      const count = (counts.get(first) ?? 0) + 1;
      counts.set(first, count);
      return count === 1 || line === undefined ? Promise.resolve(first) : nth(line, count);
    });
    ids.push(...(await Promise.all(repeated)));
  }
  return ids;
}

function idOf(propertyId: string, identity: string, count: number): Promise<string> {
  return digestOf(`${propertyId}\n${identity} ${count}`, ID_BYTES);
}
