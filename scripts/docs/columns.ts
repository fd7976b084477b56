import type { SchemaField } from '../../src/exports/rules/bigQuery.ts';
import type { Schema } from '../../src/http/openApiDocument.ts';

/** The columns of an export as the members of an object, with BigQuery's types. */
export function schemaOfColumns(columns: readonly SchemaField[]): Schema {
  return {
    type: 'RECORD',
    properties: Object.fromEntries(columns.map((column) => [column.name, schemaOfColumn(column)])),
    required: columns.map(({ name }) => name),
  };
}

function schemaOfColumn(column: SchemaField): Schema {
  const { description, type, mode } = column;
  const schema = type === 'RECORD' ? schemaOfColumns(column.fields) : { type };
  return mode === 'REPEATED'
    ? { type: 'array', items: schema, description }
    : { ...schema, description };
}
