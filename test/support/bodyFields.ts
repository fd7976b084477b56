/** The fields of every operation, as the OpenAPI document names them. */
import { type Existing, samples } from './samples.ts';

/** A field: the operation, and the way to it in the body. */
export interface TextField {
  readonly path: string;
  /** Names of members; 0 is the first of a list. */
  readonly at: readonly (string | 0)[];
  /** At an address that takes several types of message: the one that has the field. */
  readonly type?: string | undefined;
  /** In a body that is one of several: the names of all members of the one that has the field. */
  readonly members?: readonly string[] | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The OpenAPI document, as far as it tells of fields. */
export interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post?: {
          readonly requestBody?: {
            readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
          };
        };
      }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Every text field of every operation that has a sample. */
export function textFieldsOf(document: Document): TextField[] {
  return fieldsWhere(
    document,
    ({ type, ...schema }) =>
      [type].flat().includes('string') && !schema.enum && schema.const === undefined,
  );
}

/** Every other field that holds no fields itself: numbers, flags and choices. */
export function otherFieldsOf(document: Document): TextField[] {
  return fieldsWhere(
    document,
    ({ type, ...schema }) =>
      schema.enum !== undefined ||
      [type].flat().some((one) => ['number', 'integer', 'boolean'].includes(one ?? '')),
  );
}

/** Every list of every operation. */
export function listsOf(document: Document): TextField[] {
  return fieldsWhere(document, ({ type }) => [type].flat().includes('array'));
}

function fieldsWhere(document: Document, wanted: (schema: Schema) => boolean): TextField[] {
  return Object.keys(samples).flatMap((path) => {
    const schema = document.paths[path]?.post?.requestBody?.content['application/json']?.schema;
    if (!schema) throw new Error(`${path} takes no body`);
    const found = (schema.anyOf ?? [schema]).flatMap((one) => {
      const type = messageTypeOf(one);
      const members = schema.anyOf && Object.keys(one.properties ?? {});
      return fieldsIn(document, one, []).flatMap(({ at, schema: of }) =>
        wanted(of) ? [{ path, at, type, members }] : [],
      );
    });
    return [
      ...new Map(found.map((field) => [`${field.type}.${field.at.join('.')}`, field])).values(),
    ];
  });
}

function messageTypeOf({ properties }: Schema): string | undefined {
  const { const: only, enum: all } = properties?.['MessageType'] ?? {};
  const type = only ?? all?.[0];
  return typeof type === 'string' ? type : undefined;
}

/** Every schema within a schema, and where it is. */
function fieldsIn(
  document: Document,
  schema: Schema,
  at: TextField['at'],
): { at: TextField['at']; schema: Schema }[] {
  const { $ref, properties, items, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return named ? fieldsIn(document, named, at) : [];
  }
  return [
    { at, schema },
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      fieldsIn(document, member, [...at, name]),
    ),
    ...(items ? fieldsIn(document, items, [...at, 0]) : []),
    ...[anyOf, oneOf, allOf]
      .flatMap((schemas) => schemas ?? [])
      .flatMap((one) => fieldsIn(document, one, at)),
  ];
}

/** Members whose amounts are judged once all else of them is right. */
const WHOLE: Readonly<Record<string, unknown>> = {
  cancellationPolicy: { rules: [{ keep: { amount: 10 } }], noShow: { amount: 20 } },
  planTemplates: [
    {
      key: 'weekly',
      name: 'Weekly',
      terms: [{ amount: 10, due: { anchor: 'now' } }],
      repeat: { every: 'week', amount: 100 },
    },
  ],
};

/** The operation's sample with a value in this field. */
export function bodyWith(
  { path, at, type, members }: TextField,
  value: unknown,
  existing: Existing,
): object {
  const sample = Object.entries(samples[path]?.body(existing) ?? {});
  // The end of a hold is read only for a hold.
  const [first = ''] = at;
  const details = {
    ...(first in WHOLE && { [first]: WHOLE[first] }),
    ...(first === 'expiryTime' && { preAuth: true }),
    ...(type !== undefined && { MessageType: type }),
  };
  const own = sample.filter(([name]) => members?.includes(name) ?? true);
  return withValue({ ...Object.fromEntries(own), ...details }, at, value) as object;
}

function withValue(before: unknown, [name, ...rest]: TextField['at'], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === 0) return [withValue(Array.isArray(before) ? before[0] : undefined, rest, value)];
  const members = before !== null && typeof before === 'object' ? before : {};
  const inner = Object.entries(members).find(([one]) => one === name)?.[1];
  return { ...members, [name]: withValue(inner, rest, value) };
}
