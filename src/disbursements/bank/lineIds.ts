import { hex } from '../../core/ids.ts';
import { identitiesOf, type StatementLine } from './rules/lines.ts';

/** How many bytes of a digest are an id. */
const ID_BYTES = 16;

/** How many digests are made at once. */
const AT_ONCE = 1_000;

/** The ids of lines: the same for the same line of another file, and in no two files for different ones. */
export async function lineIds(
  propertyId: string,
  lines: readonly StatementLine[],
): Promise<string[]> {
  const identities = identitiesOf(lines);
  const ids: string[] = [];
  for (let at = 0; at < identities.length; at += AT_ONCE) {
    const some = identities.slice(at, at + AT_ONCE);
    ids.push(...(await Promise.all(some.map((identity) => idOf(propertyId, identity)))));
  }
  return ids;
}

async function idOf(propertyId: string, identity: string): Promise<string> {
  const text = new TextEncoder().encode(`${propertyId}\n${identity}`);
  const digest = await crypto.subtle.digest('SHA-256', text);
  return hex(new Uint8Array(digest, 0, ID_BYTES));
}
