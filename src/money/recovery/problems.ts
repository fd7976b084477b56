import { z } from '@hono/zod-openapi';
import { err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp } from '../../core/time.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Key, type Page, type Part, pageOf } from '../../platform/db/page.ts';
import { named, shownTime } from '../../platform/views.ts';
import { bookingNotFound } from '../../records/bookings/rules.ts';
import { selectBooking } from '../../records/bookings/store.ts';
import { isOfFormerAccount } from '../../records/cards/rules.ts';
import {
  type ProblemFilter,
  type ProblemRow,
  selectProblems,
} from '../../records/recoveries/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { cardExpired } from '../payments/rules.ts';
import { foretoldPart } from './foretold.ts';
import { isToCome } from './rules.ts';
import { type FactsByBooking, openOfCharge, readFactsOf } from './situation.ts';

/** How often the next entries are read at most for one page: some are problems no more. */
const MOST_ROUNDS = 5;

/** The decline code of a card that had expired by its issuer's word. */
const EXPIRED = 'expired_card';

/** A charge whose card fails (interface: Card health). */
export const problemSchema = named('CardProblem', {
  bookingReference: z.string(),
  chargeId: z
    .int()
    .nullable()
    .describe('the charge or schedule; null for a part of a plan that is not charged yet'),
  planId: z.string().optional().describe('of such a part: see Payment plans'),
  partId: z.string().optional().describe('which part'),
  scheduledTime: z
    .string()
    .nullable()
    .describe('as the client sent it; of a part, when it is due; null for no schedule'),
  cardNumber: z
    .string()
    .openapi({ example: 'XXXX-XXXX-XXXX-X242' })
    .describe('masked, with the last three digits'),
  problem: z
    .enum(['expires_before', 'expired', 'declined', 'needs_authentication', 'former_account'])
    .describe('what is wrong with its card'),
  askedAt: shownTime
    .nullable()
    .describe('when its guest was first asked about this problem; null: not asked'),
  deadline: shownTime.nullable().describe('until when an answer counts'),
});

export type Problem = z.infer<typeof problemSchema>;

/** Which problems to list, and what the property's clock shows. */
export interface ProblemQuery extends ProblemFilter {
  readonly nowMs: number;
}

/**
 * Lists a property's charges whose card fails, the earliest charge first (interface: Card health).
 */
export async function listProblems(
  database: Database,
  propertyId: string,
  query: ProblemQuery,
  { limit, after }: Part,
): Promise<Result<Page<Problem>>> {
  const found: Listed[] = [];
  let next = after ?? null;
  for (let round = 1; round <= MOST_ROUNDS && found.length <= limit; round += 1) {
    const read = await readProblems(database, propertyId, query, {
      limit,
      after: next ?? undefined,
    });
    if (!read.ok) return read;
    found.push(...read.value.rows);
    next = read.value.next;
    if (next === null) break;
  }
  const page = pageOf(found, limit, ({ key }) => key);
  return ok({ rows: page.rows.map(({ problem }) => problem), next: page.next ?? next });
}

interface Listed {
  readonly problem: Problem;
  readonly key: Key;
}

/** Reads the next entries, and leaves out what is a problem no more. Two round trips. */
async function readProblems(
  database: Database,
  propertyId: string,
  { nowMs, ...filter }: ProblemQuery,
  part: Part,
): Promise<Result<Page<Listed>>> {
  const [rows, [property], [named]] = await database.batch('d1.recovery.read', [
    selectProblems(propertyId, filter, part),
    ...selectBooking(propertyId, filter.reference ?? ''),
  ]);
  if (!property || (filter.reference !== undefined && !named)) return err(bookingNotFound());
  const page = pageOf(rows, part.limit, keyOf);
  const facts = await readFactsOf(
    database,
    property,
    page.rows.filter((row) => !isToCome(row)).map(({ bookingReference }) => bookingReference),
  );
  const problems = page.rows.flatMap((row): Listed[] => {
    const { deadlineAtMs, firstAskedAtMs } = row;
    const problem = problemIn(row, property, openOf(row, facts), nowMs);
    const charge = chargeIn(row, property);
    if (problem === null || charge === null) return [];
    const time = (atMs: number | null) =>
      atMs === null ? null : offsetTimestamp(atMs, property.timeZone);
    return [
      {
        problem: {
          bookingReference: row.bookingReference,
          ...charge,
          cardNumber: row.masked,
          problem,
          askedAt: time(firstAskedAtMs),
          deadline: time(firstAskedAtMs === null ? null : deadlineAtMs),
        },
        key: keyOf(row),
      },
    ];
  });
  return ok({ rows: problems, next: page.next });
}

function keyOf({ chargeAtMs, transactionId }: ProblemRow): Key {
  return [chargeAtMs, transactionId];
}

/** The charge of a problem, or the part of a plan that will be one; null for a part that is not to be charged any more. */
function chargeIn(
  { chargeAtMs, parts, planId, scheduledTime, transactionId }: ProblemRow,
  { timeZone }: Pick<PropertyRow, 'timeZone'>,
) {
  if (planId === null) return { chargeId: transactionId, scheduledTime };
  const part = foretoldPart({ parts: parts ?? [] }, { transactionId });
  if (part?.status !== 'planned') return null;
  const dueAt = offsetTimestamp(chargeAtMs, timeZone);
  return { chargeId: null, planId, partId: part.id, scheduledTime: dueAt };
}

/**
 * What is wrong with the card of a charge; null if nothing is any more. `openMinor` is what of a declined charge is still
 * to be charged.
 */
export function problemIn(
  row: ProblemRow,
  property: Pick<PropertyRow, 'merchantAccount' | 'timeZone'>,
  openMinor: number,
  nowMs: number,
): Problem['problem'] | null {
  if (row.cause === 'former') return isOfFormerAccount(property, row) ? 'former_account' : null;
  if (row.cause === 'expiring') {
    if (!cardExpired(row, property.timeZone, row.chargeAtMs)) return null;
    return cardExpired(row, property.timeZone, nowMs) ? 'expired' : 'expires_before';
  }
  if (openMinor === 0) return null;
  if (row.cause === 'authentication') return 'needs_authentication';
  return row.declineCode === EXPIRED ? 'expired' : 'declined';
}

/** What of a declined charge was neither made again nor paid since; 0 for a charge to come. */
function openOf(
  { bookingReference, transactionId }: ProblemRow,
  factsByBooking: FactsByBooking,
): number {
  const facts = factsByBooking.get(bookingReference);
  const charge = facts?.transactions.find(({ id }) => id === transactionId);
  return facts && charge ? openOfCharge({ facts, charge }) : 0;
}
