import { z } from '@hono/zod-openapi';
import type { Failure } from '../../core/failure.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import type { RecoveryRow } from '../../platform/db/recoveryTables.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { type ProblemFilter, selectProblems } from '../../records/recoveries/store.ts';
import { cardExpired } from '../payments/rules.ts';
import { coveredMinor } from './rules.ts';

/** How many problems one answer has at most: the earliest charges first. */
const MOST_PROBLEMS = 1_000;

/** The decline code of a card that had expired by its issuer's word. */
const EXPIRED = 'expired_card';

/** A charge whose card fails (interface: Card health). */
export const problemSchema = z
  .object({
    bookingReference: z.string(),
    chargeId: z.int(),
    scheduledTime: z
      .string()
      .nullable()
      .describe('As it was sent; null for a charge that was no schedule'),
    cardNumber: z.string().openapi({ example: 'XXXX-XXXX-XXXX-X242' }),
    problem: z.enum(['expires_before', 'expired', 'declined', 'needs_authentication']),
    askedAt: z.string().nullable().describe('When the guest was first asked about it'),
    deadline: z.string().nullable(),
  })
  .openapi('CardProblem');

export type Problem = z.infer<typeof problemSchema>;

/** The property whose problems are listed, and what its clock shows. */
export interface ProblemsOf {
  readonly id: string;
  readonly timeZone: string;
  readonly nowMs: number;
}

/** Lists a property's charges whose card fails, the earliest charge first (interface: Card health). One round trip. */
export async function listProblems(
  database: Database,
  property: ProblemsOf,
  filter: ProblemFilter,
): Promise<Result<Problem[], Failure>> {
  const { queries } = database;
  const [rows, , [named]] = await database.batch('d1.recovery.read', [
    selectProblems(queries, property.id, filter, MOST_PROBLEMS),
    ...selectBooking(queries, property.id, filter.reference ?? ''),
  ]);
  if (filter.reference !== undefined && named === undefined) return err(bookingNotFound());
  return ok(problemsOf(rows, property));
}

/** What the database has of a problem. */
export type ProblemRow = Awaited<ReturnType<typeof selectProblems>>[number];

/** The problems as they are listed, without those that are none any more. */
export function problemsOf(
  rows: readonly ProblemRow[],
  property: Omit<ProblemsOf, 'id'>,
): Problem[] {
  const paid = paidOff(rows);
  return rows.flatMap((row) => problemOf(row, property, paid));
}

/** The declined charges that were paid since, by their ids. */
function paidOff(rows: readonly ProblemRow[]): ReadonlySet<number> {
  const declined = rows
    .filter(({ cause, isReplaced }) => cause !== 'expiring' && !isReplaced)
    .toSorted((one, other) => (one.declinedAtMs ?? 0) - (other.declinedAtMs ?? 0))
    .map((row) => ({ ...row, id: row.transactionId }));
  const ofBookings = Map.groupBy(declined, ({ bookingReference }) => bookingReference);
  const paid = [...ofBookings.values()].flatMap((charges) => {
    const covered = coveredMinor(charges);
    return charges.filter(({ id, requestedMinor }) => covered.get(id) === requestedMinor);
  });
  return new Set(paid.map(({ id }) => id));
}

function problemOf(
  row: ProblemRow,
  { timeZone, nowMs }: Omit<ProblemsOf, 'id'>,
  paid: ReadonlySet<number>,
): Problem[] {
  if (paid.has(row.transactionId)) return [];
  const problem = row.cause === 'expiring' ? expiry(row, timeZone, nowMs) : decline(row, row.cause);
  if (problem === null) return [];
  const time = (atMs: number | null) => (atMs === null ? null : offsetTimestamp(atMs, timeZone));
  return [
    {
      bookingReference: row.bookingReference,
      chargeId: row.transactionId,
      scheduledTime: row.scheduledTime,
      cardNumber: row.masked,
      problem,
      askedAt: time(row.firstAskedAtMs),
      deadline: time(row.firstAskedAtMs === null ? null : row.deadlineAtMs),
    },
  ];
}

/** What is wrong with the card of a charge to come; null if nothing is. */
function expiry(row: ProblemRow, timeZone: string, nowMs: number): Problem['problem'] | null {
  if (!cardExpired(row, timeZone, row.chargeAtMs)) return null;
  return cardExpired(row, timeZone, nowMs) ? 'expired' : 'expires_before';
}

/** Why a charge was declined; null if it was made again since. */
function decline(
  { isReplaced, declineCode }: ProblemRow,
  cause: RecoveryRow['cause'],
): Problem['problem'] | null {
  if (isReplaced) return null;
  if (cause === 'authentication') return 'needs_authentication';
  return declineCode === EXPIRED ? 'expired' : 'declined';
}
