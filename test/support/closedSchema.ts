import type { Schema } from '@cfworker/json-schema';

/** The schema with every reference in it replaced, and without room for members that it does not name. */
export function closed(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const { $ref, anyOf, oneOf, properties, items, ...rest } = schema;
  if (typeof $ref === 'string') return closed(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const each = (all: Schema[]) => all.map((one) => closed(one, schemas));
  return {
    ...rest,
    ...(anyOf && { anyOf: each(anyOf) }),
    ...(oneOf && { oneOf: each(oneOf) }),
    ...(items && { items: closed(items as Schema, schemas) }),
    ...(properties && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, of]) => [name, closed(of as Schema, schemas)]),
      ),
    }),
  };
}
