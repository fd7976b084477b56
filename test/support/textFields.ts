/** The text fields of every operation, as the OpenAPI document names them. */
import { http } from './api.ts';
import { type Existing, samples } from './samples.ts';

/** A field that takes a text: the operation, and the way to it in the body. */
export interface TextField {
  readonly path: string;
  /** Names of members; 0 is the first of a list. */
  readonly at: readonly (string | 0)[];
  /** At an address that takes several types of message: the one that has the field. */
  readonly type?: string | undefined;
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

interface Document {
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
export async function allTextFields(): Promise<TextField[]> {
  const document: Document = await (await http('/openapi.json')).json();
  return Object.keys(samples).flatMap((path) => {
    const schema = document.paths[path]?.post?.requestBody?.content['application/json']?.schema;
    if (!schema) throw new Error(`${path} takes no body`);
    const found = (schema.anyOf ?? [schema]).flatMap((one) => {
      const type = messageTypeOf(one);
      return textsIn(document, one, []).map((at) => ({ path, at, type }));
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

function textsIn(document: Document, schema: Schema, at: TextField['at']): TextField['at'][] {
  const { $ref, type, properties, items, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return named ? textsIn(document, named, at) : [];
  }
  const isText = [type].flat().includes('string') && !schema.enum && schema.const === undefined;
  return [
    ...(isText ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      textsIn(document, member, [...at, name]),
    ),
    ...(items ? textsIn(document, items, [...at, 0]) : []),
    ...[anyOf, oneOf, allOf]
      .flatMap((schemas) => schemas ?? [])
      .flatMap((one) => textsIn(document, one, at)),
  ];
}

/** The operation's sample with a text in this field. */
export function bodyWith({ path, at, type }: TextField, text: string, existing: Existing): object {
  const sample = samples[path]?.body(existing) ?? {};
  // The end of a hold is read only for a hold.
  const details = {
    ...(at[0] === 'expiryTime' && { preAuth: true }),
    ...(type !== undefined && { MessageType: type }),
  };
  return withValue({ ...sample, ...details }, at, text) as object;
}

function withValue(value: unknown, [name, ...rest]: TextField['at'], text: string): unknown {
  if (name === undefined) return text;
  if (name === 0) return [withValue(Array.isArray(value) ? value[0] : undefined, rest, text)];
  const members = value !== null && typeof value === 'object' ? value : {};
  const before = Object.entries(members).find(([one]) => one === name)?.[1];
  return { ...members, [name]: withValue(before, rest, text) };
}
