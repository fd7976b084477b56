import { nameIn, resolved, type Schema, type Schemas } from './document.ts';

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
export function typeOf(
  schema: Schema,
  schemas: Schemas,
  nameOf: NameOfSchema = () => null,
): string {
  const name = schema.$ref === undefined ? null : nameOf(nameIn(schema.$ref));
  if (name !== null) return name;
  const whole = resolved(schema, schemas);
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
