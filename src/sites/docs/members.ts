import type { Schema, Schemas } from './document.ts';

/** A member of a JSON object, as a row of a table. */
export interface Member {
  /** Its path within the object: `transaction.cardDetails.token`, or `rooms[].code` in a list. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
}

/** How deep members are listed. */
const DEEPEST = 4;

/** Lists the members of an object and of the objects in it. An object of several kinds has the members of each. */
export function membersOf(schema: Schema, schemas: Schemas): Member[] {
  const all = listed(schema, schemas, '', DEEPEST);
  return [...new Map(all.map((member) => [member.path, member])).values()];
}

function listed(schema: Schema, schemas: Schemas, within: string, depth: number): Member[] {
  const { properties = {}, required = [], items, ...whole } = resolved(schema, schemas);
  if (depth === 0) return [];
  const own = Object.entries(properties).flatMap(([name, of]) => {
    const path = `${within}${name}`;
    const member = resolved(of, schemas);
    return [
      {
        path,
        required: required.includes(name),
        type: typeOf(of, schemas),
        description: of.description ?? member.description ?? '',
      },
      ...listed(of, schemas, `${path}.`, depth - 1),
    ];
  });
  const ofItems = items ? listed(items, schemas, `${within.slice(0, -1)}[].`, depth) : [];
  const parts = [...(whole.allOf ?? []), ...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  return [...own, ...ofItems, ...parts.flatMap((part) => listed(part, schemas, within, depth))];
}

/** Names the type of a value with its bounds: `string, 1 to 64 characters`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  const { items, type } = whole;
  if (whole.enum) return whole.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (items) return `list of: ${typeOf(items, schemas)}`;
  const kinds = whole.anyOf ?? whole.oneOf;
  if (kinds) return [...new Set(kinds.map((kind) => typeOf(kind, schemas)))].join(' or ');
  const names = [type ?? 'object'].flat().join(' or ');
  return [names, whole.format, ...boundsOf(whole)].filter(Boolean).join(', ');
}

function boundsOf(schema: Schema): string[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength } = schema;
  return [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters`]),
  ];
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const named = schemas[schema.$ref?.split('/').at(-1) ?? ''];
  return named ?? schema;
}
