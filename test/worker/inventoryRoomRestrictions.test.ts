import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, makeProperty } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { breakSpan } from '../support/faults.ts';
import {
  faultsOf,
  forgetNights,
  free,
  getInventory,
  giveRooms,
  nights,
  priced,
  restricted,
  roomRestricted,
  setInventory,
  setRates,
  setRestrictions,
  setRoomRestrictions,
} from '../support/rooms.ts';

type Members = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  await giveRooms();
});

beforeEach(async () => {
  await forgetNights();
  await setInventory([free(0, 2, 1), free(0, 2, 1, 'STD')]);
  await setRates([priced(0, 2, 100), priced(0, 2, 90, 'NRF')]);
});

/** The restrictions that GetInventory answers for three nights of a rate. */
async function view(rate = 'BAR', change: Members = {}) {
  return (await nights(change))[rate]?.map(({ mlos, closed, cta, ctd }) => [
    mlos,
    closed,
    cta,
    ctd,
  ]);
}

const OPEN = [1, false, false, false];

describe('SetRoomRestrictions', () => {
  it('holds for every rate of the room, and for no other room', async () => {
    const { status, json } = await setRoomRestrictions([
      roomRestricted(0, 1, { MinLOS: 3, CTA: true }),
      roomRestricted(1, 1, { Closed: true, CTD: true }),
    ]);
    expect([status, json.Status]).toEqual([200, 'Success']);
    for (const rate of ['BAR', 'NRF']) {
      expect(await view(rate)).toEqual([[3, false, true, false], [3, true, true, true], OPEN]);
    }
    await setRates([{ ...priced(0, 2, 80), RoomTypeCode: 'STD' }]);
    expect(await view('BAR', { pmsRoomTypeCode: 'STD' })).toEqual([OPEN, OPEN, OPEN]);
    expect((await used(() => getInventory())).d1).toBe(1);
  });

  it('is taken at the common address, too', async () => {
    const message = {
      MessageType: 'SetRoomRestrictions',
      MessageID: 'm',
      RoomRestrictionData: [roomRestricted(0, 0, { Closed: true })],
    };
    expect((await call('/pms/v1/message', message)).status).toBe(200);
    expect((await view())?.[0]).toEqual([1, true, false, false]);
  });

  it('stands beside those of rates: either closes, and the longer stay counts', async () => {
    await setRoomRestrictions([roomRestricted(0, 2, { MinLOS: 3, CTA: true, Closed: false })]);
    await setRestrictions([
      restricted(0, 0, { MinLOS: 5, CTA: false }),
      restricted(1, 1, { MinLOS: 2, CTD: true }),
      restricted(2, 2, { Closed: true }),
    ]);
    expect(await view()).toEqual([
      [5, false, true, false],
      [3, false, true, true],
      [3, true, true, false],
    ]);
    const held = [3, false, true, false];
    expect(await view('NRF')).toEqual([held, held, held]);
    await setRoomRestrictions([roomRestricted(0, 2, { MinLOS: 0, CTA: false })]);
    expect(await view()).toEqual([
      [5, false, false, false],
      [2, false, false, true],
      [0, true, false, false],
    ]);
  });

  it('leaves what it does not tell, and lets the last range that tells something win', async () => {
    await setRoomRestrictions([
      roomRestricted(0, 2, { MinLOS: 5, Closed: true }),
      roomRestricted(0, 1, { MinLOS: 3 }),
      roomRestricted(1, 2, { Closed: false, CTD: true }),
    ]);
    await setRoomRestrictions([roomRestricted(2, 2, { CTA: true })]);
    expect(await view()).toEqual([
      [3, true, false, false],
      [3, false, false, true],
      [5, false, true, true],
    ]);
  });

  it('writes only what changes, and nothing where it tells nothing', async () => {
    const push = [roomRestricted(0, 2, { MinLOS: 2 }), roomRestricted(1, 1, { CTA: false })];
    expect((await used(() => setRoomRestrictions(push))).rowsWritten).toBe(3);
    expect((await used(() => setRoomRestrictions(push))).rowsWritten).toBe(0);
    expect((await used(() => setRoomRestrictions([roomRestricted(0, 700)]))).rowsWritten).toBe(0);
  });

  it('applies as a whole or not at all', async () => {
    const unknown = await setRoomRestrictions([
      roomRestricted(0, 2, { Closed: true }),
      roomRestricted(0, 2, { Closed: true }, 'SUITE'),
    ]);
    expect(unknown.json.ErrorMessage).toBe('Unknown RoomTypeCode: SUITE.');
    expect(faultsOf(unknown)).toEqual(['RoomRestrictionData.1.RoomTypeCode: unknown_code']);
    const mend = breakSpan('d1.inventory.save');
    expect((await setRoomRestrictions([roomRestricted(0, 2, { Closed: true })])).status).toBe(504);
    mend();
    expect(await view()).toEqual([OPEN, OPEN, OPEN]);
  });

  it('keeps two properties apart', async () => {
    const token = await makeProperty('beside');
    await giveRooms('beside');
    await setRoomRestrictions([roomRestricted(0, 2, { MinLOS: 7 })], { token });
    expect(await view()).toEqual([OPEN, OPEN, OPEN]);
  });

  it.each<[string, Members, string]>([
    ['no room', { RoomTypeCode: undefined }, 'RoomTypeCode: required'],
    ['a stay below no night', { MinLOS: -1 }, 'MinLOS: too_small'],
    ['a stay of a thousand nights', { MinLOS: 1000 }, 'MinLOS: too_big'],
    ['a number for yes', { Closed: 1 }, 'Closed: invalid_type'],
    ['null for nothing', { CTD: null }, 'CTD: invalid_type'],
    ['an end before the start', { EndDate: '2026-12-31' }, 'EndDate: dates_out_of_order'],
  ])('refuses %s', async (_name, change, fault) => {
    const answer = await setRoomRestrictions([
      roomRestricted(0, 2, { MinLOS: 9 }),
      { ...roomRestricted(0, 0), ...change },
    ]);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([`RoomRestrictionData.1.${fault}`]);
    expect((await view())?.[0]).toEqual(OPEN);
  });
});

describe('restrictions of rates under the name of rates', () => {
  const push = (path: string, members: object) =>
    call(path, { MessageType: 'SetRates', MessageID: 'm', ...members });
  const RateRestrictionData = [restricted(0, 0, { MinLOS: 4, CTD: true })];

  it('are taken at their own address', async () => {
    const { status } = await push('/rates/v1/push-restrictions', { RateRestrictionData });
    expect([status, (await view())?.[0]]).toEqual([200, [4, false, false, true]]);
  });

  it.each([
    ['/rates/v1/push', { RateRestrictionData }, 'RateData: required'],
    ['/pms/v1/message', { RateRestrictionData }, 'RateData: required'],
    [
      '/rates/v1/push-restrictions',
      { RateData: [priced(0, 0, 1)] },
      'RateRestrictionData: required',
    ],
  ])('are not mistaken for prices at %s', async (path, members, fault) => {
    const answer = await push(path, members);
    expect([answer.status, faultsOf(answer)]).toEqual([422, [fault]]);
  });
});
