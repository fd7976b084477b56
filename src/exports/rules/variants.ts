import type { ExportRunRow } from '../../schema/exportTables.ts';

/** One of the daily files (exports: Three files a day). */
export type Variant = ExportRunRow['variant'];

/** All variants. Each name is also the query flag that selects the file. */
export const variants = [
  'propertySystem',
  'applicationConsole',
  'ledger',
] as const satisfies Variant[];

/** The file name that a browser suggests. */
export function fileName(variant: Variant, date: string): string {
  return `${names[variant]}-${date}.ndjson`;
}

const names: Readonly<Record<Variant, string>> = {
  propertySystem: 'property-system',
  applicationConsole: 'application-console',
  ledger: 'ledger',
};
