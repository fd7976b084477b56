import type { ExportRunRow } from '../../schema/exportTables.ts';

/** One of the two daily files (exports: Two files a day). */
export type Variant = ExportRunRow['variant'];

/** Both variants. Each name is also the query flag that selects the file. */
export const variants = ['propertySystem', 'applicationConsole'] as const satisfies Variant[];

/** The file name that a browser suggests. */
export function fileName(variant: Variant, date: string): string {
  const names = { propertySystem: 'property-system', applicationConsole: 'application-console' };
  return `${names[variant]}-${date}.ndjson`;
}
