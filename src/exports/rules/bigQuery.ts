import {
  applicationColumns,
  bookingColumns,
  type Column,
  customerColumns,
  type ScalarType,
} from '../columns.ts';
import type { Variant } from './variants.ts';

/** A column in a BigQuery schema file, as `bq load` reads it. */
export type SchemaField =
  | { readonly name: string; readonly type: ScalarType; readonly mode: 'NULLABLE' }
  | {
      readonly name: string;
      readonly type: 'RECORD';
      readonly mode: 'NULLABLE' | 'REPEATED';
      readonly fields: readonly SchemaField[];
    };

/** The BigQuery schema of a variant (exports: Schemas). */
export function bigQuerySchema(variant: Variant): SchemaField[] {
  const columns =
    variant === 'propertySystem'
      ? [...customerColumns((column) => column, ''), bookings]
      : applicationColumns('');
  return columns.map(schemaField);
}

const bookings: Column = {
  name: 'bookings',
  type: 'RECORD',
  repeated: true,
  columns: bookingColumns(''),
};

function schemaField(column: Column): SchemaField {
  if (column.type !== 'RECORD') return { name: column.name, type: column.type, mode: 'NULLABLE' };
  return {
    name: column.name,
    type: 'RECORD',
    mode: column.repeated ? 'REPEATED' : 'NULLABLE',
    fields: column.columns.map(schemaField),
  };
}
