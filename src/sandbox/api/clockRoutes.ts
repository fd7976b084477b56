import { z } from '@hono/zod-openapi';
import { type Failure, failure, fieldFailure } from '../../core/failure.ts';
import { andThen, err, ok, type Result } from '../../core/result.ts';
import { offsetTimestamp, yearsAfterMs } from '../../core/time.ts';
import type { AppContext } from '../../http/context.ts';
import { identifier, instant } from '../../http/fields.ts';
import type { Api } from '../../http/operation.ts';
import { objectNamed } from '../../platform/objects.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { shownTime } from '../../platform/views.ts';
import { forgetClientsOf } from '../../records/clients/clientCache.ts';
import { propertyNotFound } from '../../records/properties/rules.ts';
import { findProperty } from '../../records/properties/store.ts';
import type { PropertyRow } from '../../schema/propertyTables.ts';
import type { PropertyClockObject } from '../clock/object.ts';
import { sandboxOperation } from './operation.ts';

/** How many years a clock may be ahead of real time. */
const MOST_YEARS_AHEAD = 3;

const clockAnswer = {
  now: shownTime.describe("what the clock shows afterwards, in the property's time zone"),
};

/** The operations on the clock of a property (interface: Test clock). */
export function registerClock(api: Api): void {
  sandboxOperation(api, {
    path: '/sandbox/v1/clock/advance',
    summary: "Advance a property's clock; all that falls due on the way happens in its order",
    body: z.object({
      property: identifier,
      to: instant.describe('after what the clock shows, at most three years ahead of real time'),
    }),
    answer: { ...clockAnswer, fired: z.int().describe('how many things were done on the way') },
    problems: ['property_not_found', 'time_in_past', 'time_too_far'],
    handle: async ({ c, body }) => {
      const property = await findProperty(c.get('database'), body.property);
      if (property === null) return err(propertyNotFound());
      const issue = goalIssue(property, body.to);
      if (issue !== null) return err(issue);
      const fired = await advance(c, body.property, body.to);
      const shown = await shownClock(c, body.property);
      return andThen(shown, ({ now }) => ok({ now, fired }));
    },
  });

  sandboxOperation(api, {
    path: '/sandbox/v1/clock/get',
    summary: "Get what a property's clock shows",
    body: z.object({ property: identifier }),
    answer: clockAnswer,
    problems: ['property_not_found'],
    handle: ({ c, body }) => shownClock(c, body.property),
  });

  sandboxOperation(api, {
    path: '/sandbox/v1/clock/reset',
    summary: "Set a property's clock to real time",
    body: z.object({ property: identifier }),
    answer: clockAnswer,
    problems: ['property_not_found', 'invalid_state'],
    handle: async ({ c, body }) => {
      const property = await findProperty(c.get('database'), body.property);
      if (property === null) return err(propertyNotFound());
      const outcome = await callClock(c, body.property, (clock) => clock.reset(body.property));
      forgetClientsOf(body.property);
      return outcome === 'records-ahead' ? err(RECORDS_AHEAD) : shownClock(c, body.property);
    },
  });
}

/**
 * Advances a property's clock to `toMs`. Returns how many things were done on the way. Throws if it was cut off: the
 * next advance goes on from there, or the object itself a minute later.
 */
async function advance(c: AppContext, propertyId: string, toMs: number): Promise<number> {
  let fired = 0;
  for (;;) {
    const stretch = await callClock(c, propertyId, (clock) => clock.advance(propertyId, toMs));
    fired += stretch.fired;
    if (stretch.done) break;
  }
  forgetClientsOf(propertyId);
  return fired;
}

/** Calls the object of a property's clock. From here on, a failure does not say how far the clock came. */
function callClock<Outcome>(
  { env, var: { trace } }: AppContext,
  propertyId: string,
  call: (clock: DurableObjectStub<PropertyClockObject>) => Promise<Outcome>,
): Promise<Outcome> {
  trace.writeSent();
  const clocks = env.CLOCKS as DurableObjectNamespace<PropertyClockObject>;
  return trace.span('object.clock', () => call(objectNamed(env, clocks, propertyId)));
}

async function shownClock(c: AppContext, id: string): Promise<Result<{ now: string }>> {
  const property = await findProperty(c.get('database'), id);
  if (property === null) return err(propertyNotFound());
  return ok({ now: offsetTimestamp(propertyNow(property), property.timeZone) });
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

const RECORDS_AHEAD = failure(
  'invalid_state',
  'Records of the property lie ahead of real time: its clock cannot go back behind them.',
);
