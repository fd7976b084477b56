import { z } from '@hono/zod-openapi';
import { pick } from '../core/pick.ts';
import { utcOrNull, utcTimestamp } from '../core/time.ts';
import { named, shownTime } from '../platform/views.ts';
import { type MoveRow, moves } from '../schema/homeTables.ts';

/** A move of a property to another database (interface: Databases). */
export const moveSchema = named('Move', {
  moveId: z.string().describe('for `property/move-status`'),
  property: z.string().describe('its identifier'),
  from: z.string().describe('the database that it leaves'),
  to: z.string().describe('the database that it comes to'),
  status: z
    .enum(moves.status.enumValues)
    .describe('`switching` is the last step: its writes wait; `failed` leaves it where it was'),
  rows: z.int().describe('how many were copied'),
  failure: z.string().nullable().describe('why it failed, or what holds it up'),
  startedAt: shownTime.describe('when it was asked for'),
  endedAt: shownTime.nullable().describe('when it ended'),
});

export function moveView(row: MoveRow): z.infer<typeof moveSchema> {
  return {
    moveId: row.id,
    property: row.propertyId,
    ...pick(row, 'from', 'to', 'status', 'rows', 'failure'),
    startedAt: utcTimestamp(row.startedAtMs),
    endedAt: utcOrNull(row.endedAtMs),
  };
}
