import { fillExportData, offlineBookings } from '../scripts/exportData.ts';
import { seeded } from '../scripts/seed.ts';
import { type Source, START } from '../src/exports/pages.ts';
import { type Variant, variants } from '../src/exports/variants.ts';

/** Where the filled-in customers belong. */
const PORTFOLIO = 'default';

/** How much more must be filled in until it is told again, from 0 to 1. */
const TOLD_SHARE = 0.1;

/** What each file must come to. */
export interface Expected {
  /** Lines: one a customer, in both files. */
  readonly lines: number;
  /** Rows of the pages that a file is made of. */
  readonly rows: Readonly<Record<Variant, number>>;
  /** What its pages are read from. */
  readonly sources: Readonly<Record<Variant, Source>>;
}

/** How many customers have so many bookings: one each, and every third has another. A multiple of 4 has no remainder. */
export function customersWith(bookings: number): number {
  return (bookings / 4) * 3;
}

/** Fills the database until it holds so many customers in all, of whom some may be there already. */
export async function growTo(
  database: D1Database,
  customers: number,
  already: number,
  progress: (line: string) => void,
): Promise<Expected> {
  const missing = customers - already;
  const data = { property: seeded.property, currency: 'AUD', customers: missing };
  let told = 0;
  await fillExportData(database, { ...data, first: already + 1 }, (done) => {
    if (done < missing * (told + TOLD_SHARE)) return;
    told = done / missing;
    progress(`${already + done} of ${customers} customers filled in`);
  });
  return expected(database, customers);
}

async function expected(database: D1Database, customers: number): Promise<Expected> {
  const last = await database
    .prepare('SELECT max(id) AS id FROM applications')
    .first<{ id: number }>();
  const lastApplicationId = last?.id ?? START.applicationId;
  const source = (variant: Variant) => ({
    variant,
    portfolio: PORTFOLIO,
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
