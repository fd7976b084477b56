import type { Schema, Schemas } from '../../src/http/openApiDocument.ts';
import { nameIn, resolved } from '../../src/sites/docs/document.ts';
import {
  described,
  type NameOfSchema,
  type OwnMember,
  ownMembers,
} from '../../src/sites/docs/members.ts';

/** A row of a table: members that mean the same. */
interface Row {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly optional: boolean;
  readonly meaning: string;
}

/** A table of members, and what its first column is called. */
export interface MemberTable {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** An object within an object has a table of its own from so many members on. */
const OWN_TABLE = 4;

/** Members of every answer, and of every list: no table repeats them. A `limit` without a `cursor` is another. */
const TOLD_ONCE = ['success', 'cursor', 'nextCursor'];

/** What tables know of the document's schemas. */
export interface Named {
  readonly schemas: Schemas;
  /** How the name of a schema is shown that has a table elsewhere. */
  readonly nameOf: NameOfSchema;
}

/** The tables of an object's members: its own, and those of great objects in it. `only` picks some of its members. */
export function tablesOf(
  schema: Schema,
  named: Named,
  only: readonly string[],
  of = '',
): MemberTable[] {
  const told = membersOf(schema, named).flatMap((member) =>
    only.length === 0 || only.includes(member.name) ? [toldIn('', member, named)] : [],
  );
  return [
    {
      title: of === '' ? 'member' : `member of \`${of}\``,
      rows: merged(told.flatMap(({ rows }) => rows)),
    },
    ...told.flatMap(({ further }) => further),
  ];
}

/** What is told of a member of the object `within`: its row, and those of a small object in it, or further tables. */
function toldIn(
  within: string,
  { name, required, schema }: OwnMember,
  named: Named,
): { readonly rows: Row[]; readonly further: MemberTable[] } {
  const { type, description } = described(schema, named.schemas, named.nameOf);
  const names = [`${within}${name}`];
  const row = { names, types: [type], optional: !required, meaning: description };
  const [inner, suffix] = innerOf(schema, named);
  const own = membersOf(inner, named);
  if (own.length >= OWN_TABLE) {
    return { rows: [row], further: tablesOf(inner, named, [], `${name}${suffix}`) };
  }
  const told = own.map((member) => toldIn(`${within}${name}${suffix}.`, member, named));
  return {
    rows: [row, ...told.flatMap(({ rows }) => rows)],
    further: told.flatMap(({ further }) => further),
  };
}

function membersOf(schema: Schema, { schemas }: Named) {
  const members = ownMembers(schema, schemas);
  const isPage = members.some(({ name }) => name === 'cursor' || name === 'after');
  const told = isPage ? [...TOLD_ONCE, 'limit'] : TOLD_ONCE;
  const all = members.filter(({ name }) => !told.includes(name));
  return [...new Map(all.map((member) => [member.name, member])).values()];
}

/** The object that a member is, or the object in its list; an empty one where that is told elsewhere. */
function innerOf(member: Schema, { schemas, nameOf }: Named): [Schema, '' | '[]'] {
  const { items } = resolved(member, schemas);
  const inner = items ?? member;
  const isTold = [inner, ...(inner.anyOf ?? [])].some(
    ({ $ref }) => $ref !== undefined && nameOf(nameIn($ref)) !== null,
  );
  return [isTold ? {} : inner, items ? '[]' : ''];
}

/** Makes one row of members that follow each other and are told alike. */
function merged(rows: readonly Row[]): Row[] {
  const made: Row[] = [];
  for (const row of rows) {
    const last = made.at(-1);
    if (last && areAlike(last, row)) {
      const types = [...new Set([...last.types, ...row.types])];
      made[made.length - 1] = { ...row, names: [...last.names, ...row.names], types };
    } else made.push(row);
  }
  return made;
}

function areAlike(one: Row, other: Row): boolean {
  const meanSame = one.meaning === other.meaning && one.optional === other.optional;
  // Where the meaning only says where to read on, types may differ.
  return meanSame && (one.types.join() === other.types.join() || one.meaning.startsWith('see '));
}

/** A table in Markdown, without a column that would be empty. */
export function markdownOf({ title, rows }: MemberTable): string {
  const hasMeaning = rows.some(({ meaning }) => meaning !== '');
  const columns = [title, 'type', ...(hasMeaning ? ['meaning'] : [])];
  const lines = rows.map(({ names, types, optional, meaning }) => [
    names.map((name) => `\`${name}\``).join(', '),
    `${types.join('; ')}${optional ? ', optional' : ''}`,
    ...(hasMeaning ? [meaning] : []),
  ]);
  return [columns, columns.map(() => null), ...lines].map(lineOf).join('\n');
}

function lineOf(cells: readonly (string | null)[]): string {
  return cells[0] === null
    ? `|${cells.map(() => '---').join('|')}|`
    : `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
}
