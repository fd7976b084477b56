import type { Schema, Schemas } from '../../http/openApiDocument.ts';
import { nameIn, resolved } from './document.ts';

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

/** Says how the name of a schema is shown; null where its type is shown instead. */
export type NameOfSchema = (name: string) => string | null;

/** More values than these are told elsewhere. */
const MOST_VALUES = 20;

/** What a member is, and what it means: as it says itself, or else as its schema does. */
export function described(schema: Schema, schemas: Schemas, nameOf: NameOfSchema = () => null) {
  const description = schema.description ?? resolved(schema, schemas).description ?? '';
  return { type: typeOf(schema, schemas, nameOf), description };
}

/** Names the type of a value with its bounds: `string, 1–64 characters`. */
function typeOf(schema: Schema, schemas: Schemas, nameOf: NameOfSchema = () => null): string {
  const name = schema.$ref === undefined ? null : nameOf(nameIn(schema.$ref));
  const whole = resolved(schema, schemas);
  if (name !== null) {
    return orNull([name, ...[whole.type ?? []].flat().filter((type) => type === 'null')], 'null');
  }
  const kinds = whole.anyOf ?? whole.oneOf;
  if (kinds) {
    return orNull([...new Set(kinds.map((kind) => typeOf(kind, schemas, nameOf)))], 'null');
  }
  if (whole.enum && whole.enum.length <= MOST_VALUES)
    return orNull(whole.enum.map(shown), shown(null));
  if (whole.const !== undefined) return shown(whole.const);
  const [type = 'object', ...others] = [whole.type ?? []].flat();
  const named = whole.items ? listOf(whole, schemas, nameOf) : formOf(whole, type);
  return orNull([named, ...others], 'null');
}

function shown(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** `a, b or null`: null comes last, and alone after "or". */
function orNull(kinds: readonly string[], nothing: string): string {
  const named = kinds.filter((kind) => kind !== nothing);
  return [named.join(', '), ...(named.length < kinds.length ? ['null'] : [])]
    .filter((part) => part !== '')
    .join(' or ');
}

function listOf({ items = {}, maxItems }: Schema, schemas: Schemas, nameOf: NameOfSchema): string {
  const most = maxItems === undefined ? '' : `at most ${count(maxItems)} `;
  return `array of ${most}${typeOf(items, schemas, nameOf)}`;
}

const FORMS: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'time',
  email: 'e-mail address',
  uri: 'address',
  uuid: 'UUID',
};

function formOf(schema: Schema, type: string): string {
  const { minLength, maxLength, exclusiveMinimum, minimum, maximum } = schema;
  const name = FORMS[schema.format ?? ''] ?? type;
  if (maxLength !== undefined) {
    const least = minLength === undefined ? 'at most ' : `${minLength}–`;
    return `${name}, ${least}${count(maxLength)} characters`;
  }
  if (minimum !== undefined && maximum !== undefined) {
    return `${name} ${count(minimum)}–${count(maximum)}`;
  }
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${count(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${count(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${count(maximum)}`]),
  ];
  return [name, ...bounds].join(', ');
}

function count(value: number): string {
  return value.toLocaleString('en');
}
