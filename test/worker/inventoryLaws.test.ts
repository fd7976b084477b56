import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { testEnv } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { howMany } from '../support/long.ts';
import {
  availability,
  day,
  forgetNights,
  free,
  giveRooms,
  restricted,
  roomRestricted,
  setInventory,
  setRestrictions,
  setRoomRestrictions,
} from '../support/rooms.ts';

beforeAll(async () => {
  await giveRooms();
});

/** What was pushed, painted night by night and range by range. */
class Painted<Told> {
  readonly nights: Record<string, Told> = {};

  paint(from: number, to: number, tell: (before: Told | undefined) => Told): void {
    for (let offset = from; offset <= to; offset += 1) {
      this.nights[day(offset)] = tell(this.nights[day(offset)]);
    }
  }
}

const place = fc
  .record({ from: fc.integer({ min: 0, max: 14 }), nights: fc.integer({ min: 0, max: 8 }) })
  .map(({ from, nights }) => ({ from, to: from + nights }));

/** Some messages one after another, each of some ranges. */
function messages<Told>(range: fc.Arbitrary<Told>): fc.Arbitrary<Told[][]> {
  return fc.array(fc.array(range, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
}

it('availability is that of ranges painted one after another, and a repeated push writes nothing', async () => {
  const range = fc.record({
    place,
    code: fc.constantFrom('DLX', 'STD'),
    available: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(messages(range), async (pushes) => {
      await forgetNights();
      const painted = { DLX: new Painted<number>(), STD: new Painted<number>() };
      for (const ranges of pushes) {
        const push = ranges.map(({ place: { from, to }, code, available }) => {
          painted[code].paint(from, to, () => available);
          return free(from, to, available, code);
        });
        expect((await setInventory(push)).status).toBe(200);
        expect(await availability('demo', 'DLX')).toEqual(painted.DLX.nights);
        expect(await availability('demo', 'STD')).toEqual(painted.STD.nights);
        expect((await used(() => setInventory(push))).rowsWritten).toBe(0);
      }
    }),
    { numRuns: howMany.inventoryRuns },
  );
});

it.each([
  ['rates', 'nightly_rates', setRestrictions, restricted],
  ['room types', 'room_restrictions', setRoomRestrictions, roomRestricted],
] as const)(
  'restrictions of %s are each painted for itself, and a repeated push writes nothing',
  async (_name, stored, push, range) => {
    const members = fc.record(
      {
        MinLOS: fc.integer({ min: 0, max: 3 }),
        Closed: fc.boolean(),
        CTA: fc.boolean(),
        CTD: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(messages(fc.record({ place, members })), async (pushes) => {
        await forgetNights();
        const painted = new Painted<object>();
        for (const ranges of pushes) {
          const sent = ranges.map(({ place: { from, to }, members: told }) => {
            const tells = Object.keys(told).length > 0;
            if (tells) painted.paint(from, to, (before) => ({ ...before, ...told }));
            return range(from, to, told);
          });
          expect((await push(sent)).status).toBe(200);
          expect(await storedRestrictions(stored)).toEqual(painted.nights);
          expect((await used(() => push(sent))).rowsWritten).toBe(0);
        }
      }),
      { numRuns: howMany.inventoryRuns },
    );
  },
);

/** The restrictions that D1 has, by day, with the names of messages. */
async function storedRestrictions(table: string): Promise<Record<string, object>> {
  const { results } = await testEnv.DB.prepare(
    `SELECT day, min_los AS MinLOS, closed AS Closed, closed_to_arrival AS CTA, closed_to_departure AS CTD
      FROM ${table}`,
  ).all<{ day: string } & Record<string, number | null>>();
  return Object.fromEntries(
    results.map(({ day: night, ...members }) => {
      const told = Object.entries(members).filter(([, value]) => value !== null);
      const named = told.map(([name, value]) => [name, name === 'MinLOS' ? value : value === 1]);
      return [night, Object.fromEntries(named)];
    }),
  );
}
