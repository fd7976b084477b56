import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbColumns, type SchemaField } from './duckdbTypes.ts';

/** A file loaded into DuckDB as the table `export`. */
export interface Loaded {
  /** The one value that a query gives, as text. */
  value(query: string): Promise<string>;
  close(): void;
}

/** Loads newline-delimited JSON by the service's schema. Throws when a line does not fit it. */
export async function loadExport(file: string, schema: readonly SchemaField[]): Promise<Loaded> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE export AS SELECT * FROM read_json('${file.replaceAll("'", "''")}',
      format = 'newline_delimited', columns = ${duckdbColumns(schema)}, maximum_object_size = 16777216)`,
  );
  return {
    value: async (query) => {
      const result = await connection.runAndReadAll(query);
      return String(result.getRows()[0]?.[0]);
    },
    close: () => connection.closeSync(),
  };
}
