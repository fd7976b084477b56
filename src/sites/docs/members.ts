import { resolved, type Schema, type Schemas } from './document.ts';
import { described } from './types.ts';

/** A member of a JSON object, as a row of a table. */
export interface Member {
  /** Its path within the object: `transaction.cardDetails.token`, or `rooms[].code` in a list. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
}

/** A member as its object's schema has it. */
export interface OwnMember {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** How deep members are listed. */
const DEEPEST = 4;

/** Lists the members of an object and of the objects in it. An object of several kinds has the members of each. */
export function membersOf(schema: Schema, schemas: Schemas): Member[] {
  const all = listed(schema, schemas, '', DEEPEST);
  return [...new Map(all.map((member) => [member.path, member])).values()];
}

function listed(schema: Schema, schemas: Schemas, within: string, depth: number): Member[] {
  if (depth === 0) return [];
  const own = ownMembers(schema, schemas).flatMap(({ name, required, schema: of }) => {
    const path = `${within}${name}`;
    const member = { path, required, ...described(of, schemas) };
    return [member, ...listed(of, schemas, `${path}.`, depth - 1)];
  });
  const { items } = resolved(schema, schemas);
  return items ? [...own, ...listed(items, schemas, `${within.slice(0, -1)}[].`, depth)] : own;
}

/** The members of an object. What not all kinds of it require is not required. */
export function ownMembers(schema: Schema, schemas: Schemas): OwnMember[] {
  const { properties = {}, required = [], ...whole } = resolved(schema, schemas);
  const own = Object.entries(properties).map(([name, of]) => ({
    name,
    required: required.includes(name),
    schema: of,
  }));
  const parts = (whole.allOf ?? []).flatMap((part) => ownMembers(part, schemas));
  const kinds = (whole.anyOf ?? whole.oneOf ?? [])
    .map((kind) => ownMembers(kind, schemas))
    .filter((members) => members.length > 0);
  const inEach = (name: string) =>
    kinds.every((kind) => kind.some((member) => member.name === name && member.required));
  const ofKinds = kinds.flat().map((one) => ({ ...one, required: inEach(one.name) }));
  return [...own, ...parts, ...ofKinds];
}
