import { fillExportData, offlineBookings } from '../scripts/exportData.ts';
import { seeded } from '../scripts/seed.ts';
import { utcDate } from '../src/core/time.ts';
import type { Source } from '../src/exports/rules/pages.ts';

/** The property of the generated customers. */
const PORTFOLIO = 'default';

/** The progress between two printed lines, from 0 to 1. */
const REPORT_SHARE = 0.1;

/** The files that are measured: those of applications. */
export const variants = ['propertySystem', 'applicationConsole'] as const;

export type Variant = (typeof variants)[number];

/** The expected counts of the files. */
export interface Expected {
  /** Lines: one a customer, in both files. */
  readonly lines: number;
  /** Rows of a file's pages. */
  readonly rows: Readonly<Record<Variant, number>>;
  /** The source of the pages. */
  readonly sources: Readonly<Record<Variant, Source>>;
}

/** The customers of `bookings` bookings: one each, every third has two. Exact for a multiple of 4. */
export function customersWith(bookings: number): number {
  return (bookings / 4) * 3;
}

/** Adds customers until the database has `customers` of them. */
export async function growTo(
  database: D1Database,
  customers: number,
  already: number,
  progress: (line: string) => void,
): Promise<Expected> {
  const missing = customers - already;
  const data = { property: seeded.property, currency: 'AUD', customers: missing };
  let reported = 0;
  await fillExportData(database, { ...data, first: already + 1 }, (done) => {
    if (done < missing * (reported + REPORT_SHARE)) return;
    reported = done / missing;
    progress(`${already + done} of ${customers} customers inserted`);
  });
  return expected(database, customers);
}

async function expected(database: D1Database, customers: number): Promise<Expected> {
  const last = await database
    .prepare('SELECT max(id) AS id FROM applications')
    .first<{ id: number }>();
  const lastApplicationId = last?.id ?? 0;
  const nowMs = Date.now();
  const source = (variant: Variant) => ({
    variant,
    portfolio: PORTFOLIO,
    date: utcDate(nowMs),
    startedAtMs: nowMs,
    lastApplicationId,
    lastMoveId: 0,
  });
  const [propertySystem, applicationConsole] = variants;
  return {
    lines: customers,
    rows: { propertySystem: customers + offlineBookings(customers), applicationConsole: customers },
    sources: {
      propertySystem: source(propertySystem),
      applicationConsole: source(applicationConsole),
    },
  };
}
