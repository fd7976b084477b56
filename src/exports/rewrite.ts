import { and, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { type Database, queries } from '../platform/db/database.ts';
import { listed } from '../platform/db/listed.ts';
import type { Trace } from '../platform/trace.ts';
import { GUEST_MEMBERS } from '../records/privacy/rules.ts';
import { applications } from '../schema/applicationTables.ts';
import type { ExportRunRow } from '../schema/exportTables.ts';
import type { Cursor, Page } from './rules/pages.ts';
import { selectRun } from './store.ts';

/** How much of the file is read for a page; for a line that is longer, twice as much until it fits. */
const PIECE_BYTES = 256 * 1024;

export interface FileWork {
  readonly database: Database;
  readonly trace: Trace;
  readonly bucket: R2Bucket;
}

/** A run that writes the file of another one anew. */
export type Rewriting = ExportRunRow & { readonly rewrites: string };

export function isRewriting(run: ExportRunRow): run is Rewriting {
  return run.rewrites !== null;
}

/**
 * Reads the page of an earlier file after a cursor, which is an offset in bytes, and takes out the guests
 * who were erased since. Each row is a line. One piece of the file, and two round trips to D1.
 */
export async function readRewritten(
  work: FileWork,
  run: Rewriting,
  [after = 0]: Cursor,
): Promise<Page> {
  const offset = Number(after);
  const [[source]] = await work.database.batch('d1.export.page', [selectRun(run.rewrites)]);
  if (!source) throw new Error('the run to write anew is gone');
  const piece = await readLines(work, source.objectKey, offset);
  const lines = piece.text.split('\n').slice(0, -1);
  const erased = await erasedAmong(work.database, lines.flatMap(applicationsIn));
  let end = offset;
  const rows = lines.map((line) => {
    end += new TextEncoder().encode(line).length + 1;
    const isErased = applicationsIn(line).some((one) => erased.has(nameOf(one)));
    const text = isErased ? lineWithoutGuest(line) : line;
    return { cursor: [end], customerId: null, lines: 1, head: null, text };
  });
  const isLast = end >= piece.size;
  return {
    rows,
    next: isLast ? null : [end],
    fractionRead: piece.size === 0 ? 1 : end / piece.size,
  };
}

/** Whole lines of a file from an offset on, at least one, and the size of the file. */
async function readLines({ bucket, trace }: FileWork, key: string, offset: number) {
  for (let length = PIECE_BYTES; ; length *= 2) {
    const { bytes, size } = await trace.span('r2.read', async () => {
      const head = await bucket.head(key);
      if (head === null) throw new Error('the file to write anew is not in R2');
      if (offset >= head.size) return { bytes: new Uint8Array(), size: head.size };
      const object = await bucket.get(key, { range: { offset, length } });
      return { bytes: new Uint8Array((await object?.arrayBuffer()) ?? []), size: head.size };
    });
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0 || offset + bytes.length >= size) {
      return { text: new TextDecoder().decode(bytes.subarray(0, end)), size };
    }
  }
}

const LINE_FEED = 10;

/** Those of some applications whose guests were erased, by their names. */
async function erasedAmong(
  database: Database,
  named: readonly NamedApplication[],
): Promise<ReadonlySet<string>> {
  const { applicationNumber, bookingId, propertyId } = applications;
  const numbers = named.flatMap((one) => one.applicationNumber ?? []);
  const bookingIds = named.flatMap((one) => one.bookingId ?? []);
  const properties = [...new Set(named.map((one) => one.propertyId))];
  const found = await database.everywhere('d1.export.page', [
    queries
      .select({ applicationNumber, bookingId, propertyId })
      .from(applications)
      .where(
        and(
          isNotNull(applications.erasedAtMs),
          or(
            inArray(applicationNumber, listed(numbers)),
            and(
              inArray(propertyId, listed(properties)),
              sql`${bookingId} IN ${listed(bookingIds)}`,
            ),
          ),
        ),
      ),
  ]);
  return new Set(found.flatMap(([rows]) => rows.map(nameOf)));
}

function nameOf({ applicationNumber, bookingId, propertyId }: NamedApplication): string {
  return applicationNumber ?? JSON.stringify([propertyId, bookingId]);
}

/** What names an application in the files: its number, or its property and the PMS's number of the booking. */
interface NamedApplication {
  readonly propertyId: string;
  readonly applicationNumber: string | null;
  readonly bookingId: number | null;
}

type ApplicationMembers = Partial<Omit<NamedApplication, 'propertyId'>>;

/** The applications of a line: the line itself, or those of a customer. */
function applicationsIn(line: string): NamedApplication[] {
  const { bookings, property, ...own } = JSON.parse(line) as ApplicationMembers & {
    readonly property: string;
    readonly bookings?: readonly ApplicationMembers[];
  };
  return (bookings ?? [own]).map(({ applicationNumber = null, bookingId = null }) => ({
    propertyId: property,
    applicationNumber,
    bookingId,
  }));
}

/** A member with its value, as the service writes it: a string, a number, a word, or an object without others in it. */
const MEMBER = new RegExp(
  `"(${GUEST_MEMBERS.join('|')})":(?:"(?:[^"\\\\]|\\\\.)*"|\\{[^{}]*\\}|[\\w.+-]+)`,
  'g',
);

/** A line without its guest: null in place of what tells of them, and every other byte as it was. */
function lineWithoutGuest(line: string): string {
  return line.replace(MEMBER, (_all, name: string) => `"${name}":null`);
}
