import {
  applicationColumns,
  bookingColumns,
  type Column,
  customerColumns,
  type ScalarType,
} from '../columns.ts';
import { meaningOf } from './meanings.ts';
import type { Variant } from './variants.ts';

/** A column in a BigQuery schema file, as `bq load` reads it. */
export type SchemaField = { readonly name: string; readonly description: string } & (
  | { readonly type: ScalarType; readonly mode: 'NULLABLE' }
  | {
      readonly type: 'RECORD';
      readonly mode: 'NULLABLE' | 'REPEATED';
      readonly fields: readonly SchemaField[];
    }
);

/** The BigQuery schema of a variant (exports: Schemas). */
export function bigQuerySchema(variant: Variant): SchemaField[] {
  const columns =
    variant === 'propertySystem'
      ? [...customerColumns((column) => column, ''), bookings]
      : applicationColumns('');
  return columns.map((column) => schemaField(variant, '', column));
}

const bookings: Column = {
  name: 'bookings',
  type: 'RECORD',
  repeated: true,
  columns: bookingColumns(''),
};

function schemaField(variant: Variant, within: string, column: Column): SchemaField {
  const { name } = column;
  const description = meaningOf(variant, within, name);
  if (column.type !== 'RECORD') return { name, type: column.type, mode: 'NULLABLE', description };
  return {
    name,
    type: 'RECORD',
    mode: column.repeated ? 'REPEATED' : 'NULLABLE',
    description,
    fields: column.columns.map((one) => schemaField(variant, name, one)),
  };
}
