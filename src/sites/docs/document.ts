/** A JSON schema, as far as the pages show it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly example?: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** A parameter of the query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** An operation of the OpenAPI document, as far as the pages show it. */
export interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description?: string; readonly content?: Readonly<Record<string, Media>> }
    >
  >;
}

type Methods = Readonly<Record<string, Operation>>;

/** The OpenAPI document, as far as the pages show it. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  readonly components: { readonly schemas: Schemas };
}

/** An operation with its place: a path of the service, or the name of a message that the service sends. */
export interface Entry {
  readonly name: string;
  readonly method: string;
  /** Whether the service sends it, and callers receive it. */
  readonly isSent: boolean;
  readonly page: string;
  readonly operation: Operation;
}

/** All operations of the document, then all messages that the service sends. */
export function entriesOf({ paths, webhooks }: OpenApiDocument): Entry[] {
  return [...placed(paths, false), ...placed(webhooks, true)];
}

function placed(named: Readonly<Record<string, Methods>>, isSent: boolean): Entry[] {
  return Object.entries(named).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name,
      method: method.toUpperCase(),
      isSent,
      page: isSent ? `/docs/messages/${name.toLowerCase()}` : `/docs/operations${name}`,
      operation,
    })),
  );
}

/** The JSON body of an operation; undefined without one. */
export function bodyOf({ requestBody }: Operation): Media | undefined {
  return requestBody?.content?.['application/json'];
}

/** The JSON body of a successful answer; undefined without one. */
export function answerOf({ responses }: Operation): Media | undefined {
  return responses['200']?.content?.['application/json'];
}

/** The schema that a reference names, or the schema itself. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  return schemas[nameIn(schema.$ref ?? '')] ?? schema;
}

/** The name of a schema in a reference to it. */
export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
