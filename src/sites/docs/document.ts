import type {
  Media,
  Methods,
  OpenApiDocument,
  Operation,
  Schema,
  Schemas,
} from '../../http/openApiDocument.ts';

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

export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
