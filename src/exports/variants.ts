import type { ExportRunRow } from '../db/exportTables.ts';

/** Which of the two daily files (interface: 4.8). */
export type Variant = ExportRunRow['variant'];

/** Both variants. Each is also the query flag that asks for it. */
export const variants = ['propertySystem', 'applicationConsole'] as const satisfies Variant[];

/** The name under which a browser stores a file. */
export function fileName(variant: Variant, date: string): string {
  const names = { propertySystem: 'property-system', applicationConsole: 'application-console' };
  return `${names[variant]}-${date}.ndjson`;
}
