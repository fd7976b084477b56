/** A column of the schema that the service serves, as BigQuery writes it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string;
  readonly fields?: readonly SchemaField[];
}

const types: Readonly<Record<string, string>> = {
  STRING: 'VARCHAR',
  INTEGER: 'BIGINT',
  FLOAT: 'DOUBLE',
  NUMERIC: 'DECIMAL(18, 3)',
  BOOLEAN: 'BOOLEAN',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMPTZ',
};

/** DuckDB's type for a column: a RECORD is a STRUCT, what is REPEATED a list. */
function duckdbType(field: SchemaField): string {
  const own =
    field.type === 'RECORD'
      ? `STRUCT(${(field.fields ?? []).map((inner) => `"${inner.name}" ${duckdbType(inner)}`).join(', ')})`
      : types[field.type];
  if (own === undefined) throw new Error(`BigQuery has no type ${field.type}`);
  return field.mode === 'REPEATED' ? `${own}[]` : own;
}

/** The `columns` argument of DuckDB's `read_json` for a served schema. */
export function duckdbColumns(schema: readonly SchemaField[]): string {
  return `{${schema.map((field) => `"${field.name}": '${duckdbType(field)}'`).join(', ')}}`;
}
