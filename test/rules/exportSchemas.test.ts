import { describe, expect, it } from 'vitest';
import { bigQuerySchema, type SchemaField } from '../../src/exports/rules/bigQuery.ts';
import { fileName, variants } from '../../src/exports/rules/variants.ts';

/** A line for each column, within the columns that have it: `bookings[].status STRING: such as NEW`. */
function linesOf(fields: readonly SchemaField[], within = ''): string[] {
  return fields.flatMap((field) => {
    const name = `${within}${field.name}${field.mode === 'REPEATED' ? '[]' : ''}`;
    const own = `${name} ${field.type} ${field.mode}: ${field.description}`;
    return field.type === 'RECORD' ? [own, ...linesOf(field.fields, `${name}.`)] : [own];
  });
}

describe('what analysts load the files by', () => {
  it.each(variants)('names each column of %s with its type and meaning', (variant) => {
    expect(linesOf(bigQuerySchema(variant)).join('\n')).toMatchSnapshot();
  });

  it.each([
    ['propertySystem', 'property-system-2027-02-10.ndjson'],
    ['applicationConsole', 'application-console-2027-02-10.ndjson'],
    ['ledger', 'ledger-2027-02-10.ndjson'],
  ] as const)('calls the file of %s %s', (variant, name) => {
    expect(fileName(variant, '2027-02-10')).toBe(name);
  });
});
