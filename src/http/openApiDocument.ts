/** A JSON schema, as far as the documentation shows it. */
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

export interface Media {
  readonly schema?: Schema;
  example?: unknown;
}

type Content = Readonly<Record<string, Media>>;

/** A parameter of the query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** An operation of the OpenAPI document, as far as it is completed and shown. */
export interface Operation {
  operationId?: string;
  readonly summary?: string;
  description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly description?: string;
  headers?: object;
  readonly content?: Content;
}

export type Methods = Readonly<Record<string, Operation>>;

/** The OpenAPI document, as far as it is completed and shown. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  readonly components: { readonly schemas: Schemas; headers?: object };
}
