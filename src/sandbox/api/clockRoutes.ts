import { z } from '@hono/zod-openapi';
import { type Failure, failure, fieldFailure } from '../../core/failure.ts';
import { andThen, err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp, yearsAfterMs } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import { identifier, instant } from '../../http/fields.ts';
import { type Api, adminOperation } from '../../http/operation.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { shownTime } from '../../platform/views.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { selectProperty } from '../../records/properties/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import { advanceClock, resetClock } from '../clock/stub.ts';
import { noSandbox, usesSandbox } from './gatewayInUse.ts';

/** How many years a clock may be ahead of real time. */
const MOST_YEARS_AHEAD = 3;

const clockAnswer = {
  now: shownTime.describe("what the clock shows afterwards, in the property's time zone"),
};

/** The operations on the clock of a property (interface: Test clock). */
export function registerClock(api: Api): void {
  adminOperation(
    api,
    {
      path: '/sandbox/v1/clock/advance',
      summary: "Advance a property's clock; all that falls due on the way happens in its order",
      body: () =>
        z.object({
          property: identifier,
          to: instant.describe(
            'after what the clock shows, at most three years ahead of real time',
          ),
        }),
      answer: { ...clockAnswer, fired: z.int().describe('how many things were done on the way') },
      problems: ['not_found', 'property_not_found', 'time_in_past', 'time_too_far'],
    },
    async ({ c, body }) => {
      const property = await propertyInSandbox(c, body.property);
      if (!property.ok) return property;
      const issue = goalIssue(property.value, body.to);
      if (issue !== null) return err(issue);
      const fired = await advanceClock(c.env, c.get('trace'), body.property, body.to);
      const shown = await shownClock(c, body.property);
      return andThen(shown, ({ now }) => ok({ now, fired }));
    },
  );

  adminOperation(
    api,
    {
      path: '/sandbox/v1/clock/get',
      summary: "Get what a property's clock shows",
      body: () => z.object({ property: identifier }),
      answer: clockAnswer,
      problems: ['not_found', 'property_not_found'],
    },
    ({ c, body }) => shownClock(c, body.property),
  );

  adminOperation(
    api,
    {
      path: '/sandbox/v1/clock/reset',
      summary: "Set a property's clock to real time",
      body: () => z.object({ property: identifier }),
      answer: clockAnswer,
      problems: ['not_found', 'property_not_found', 'invalid_state'],
    },
    async ({ c, body }) => {
      const property = await propertyInSandbox(c, body.property);
      if (!property.ok) return property;
      const outcome = await resetClock(c.env, c.get('trace'), body.property);
      return outcome === 'records-ahead' ? err(recordsAhead()) : shownClock(c, body.property);
    },
  );
}

async function propertyInSandbox(c: AppContext, id: string): Promise<Result<PropertyRow, Failure>> {
  if (!usesSandbox(c)) return err(noSandbox());
  const database = c.get('database');
  const [[property]] = await database.batch('d1.property.find', [
    selectProperty(database.queries, id),
  ]);
  return property ? ok(property) : err(propertyNotFound());
}

async function shownClock(c: AppContext, id: string): Promise<Result<{ now: string }, Failure>> {
  const property = await propertyInSandbox(c, id);
  if (!property.ok) return property;
  const now = offsetTimestamp(propertyNow(property.value), property.value.timeZone);
  return ok({ now });
}

/** Why a clock cannot be advanced to an instant; null if it can. */
function goalIssue(property: PropertyRow, toMs: number): Failure | null {
  if (toMs <= propertyNow(property)) {
    const message = "Use a time after what the property's clock shows.";
    return fieldFailure([{ field: 'to', code: 'time_in_past', message }]);
  }
  if (toMs <= yearsAfterMs(Date.now(), MOST_YEARS_AHEAD)) return null;
  const message = `Use a time at most ${MOST_YEARS_AHEAD} years ahead of real time.`;
  return fieldFailure([{ field: 'to', code: 'time_too_far', message }]);
}

function recordsAhead(): Failure {
  return failure(
    'invalid_state',
    'Records of the property lie ahead of real time: its clock cannot go back behind them.',
  );
}
