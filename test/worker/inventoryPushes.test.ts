import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { http, makeProperty, parsed } from '../support/api.ts';
import { used } from '../support/counting.ts';
import { breakSpan, loseAnswers } from '../support/faults.ts';
import {
  availability,
  day,
  faultsOf,
  forgetNights,
  free,
  giveRooms,
  HOTEL,
  setInventory,
} from '../support/rooms.ts';

beforeAll(async () => {
  await giveRooms();
});

beforeEach(forgetNights);

describe('SetInventory', () => {
  it('stores every night of a range, both ends among them, and nothing else', async () => {
    const { status, json } = await setInventory([free(0, 2, 4), free(58, 59, 0, 'STD')]);
    expect([status, json]).toEqual([
      200,
      { success: true, MessageID: 'm', TimeStamp: expect.any(String), Status: 'Success' },
    ]);
    expect(await availability()).toEqual({ [day(0)]: 4, [day(1)]: 4, [day(2)]: 4 });
    expect(await availability('demo', 'STD')).toEqual({ '2027-02-28': 0, '2027-03-01': 0 });
  });

  it('is taken with the credentials of the PMS as with a token, at its own mount and at the common one', async () => {
    for (const [path, Availability] of [
      ['/rooms/v1/push', 1],
      ['/pms/v1/message', 2],
    ] as const) {
      const message = {
        Authentication: { Username: 'pms-user', Password: 'pms-pass' },
        MessageType: 'SetInventory',
        MessageID: 'm',
        InventoryData: [free(0, 0, Availability)],
      };
      const answer = await parsed(
        await http(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(message),
        }),
      );
      expect(answer.status).toBe(200);
      expect(await availability()).toEqual({ [day(0)]: Availability });
    }
  });

  it('lets the last range win where ranges overlap', async () => {
    await setInventory([free(0, 5, 1), free(2, 3, 2), free(3, 8, 3), free(4, 4, 0)]);
    expect(Object.values(await availability())).toEqual([1, 1, 2, 3, 0, 3, 3, 3, 3]);
  });

  it('replaces what was there, and leaves other nights', async () => {
    await setInventory([free(0, 4, 9)]);
    await setInventory([free(1, 2, 5)]);
    expect(Object.values(await availability())).toEqual([9, 5, 5, 9, 9]);
  });

  it('of 20 rooms for 750 days is one batch, and writes each night once', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      code: `R${index}`,
      name: `Room ${index}`,
      rateTypes: [],
    }));
    const token = await makeProperty('large');
    await giveRooms('large', many);
    const push = many.map(({ code }, index) => free(0, 749, index, code));
    const first = await used(() => setInventory(push, { token }));
    // The client is looked up, the catalogue read, the nights stored.
    expect(first.d1).toBeLessThanOrEqual(3);
    expect(first.rowsWritten).toBe(15_000);
    expect(Object.values(await availability('large', 'R7'))).toEqual(Array(750).fill(7));
    expect(Object.keys(await availability('large', 'R19')).at(-1)).toBe(day(749));
    const again = await used(() => setInventory(push, { token }));
    expect(again).toMatchObject({ d1: 2, rowsWritten: 0 });
    const changed = [...push, free(100, 102, 50, 'R3')];
    expect((await used(() => setInventory(changed, { token }))).rowsWritten).toBe(3);
    expect((await used(() => setInventory(changed, { token }))).rowsWritten).toBe(0);
  });

  it('with one unknown code in a great push changes nothing, and names the code and its place', async () => {
    await setInventory([free(0, 0, 7)]);
    const push = Array.from({ length: 500 }, (_, index) => free(index, index, 1));
    const answer = await setInventory(push.toSpliced(400, 0, free(3, 3, 1, 'SUITE')));
    expect([answer.status, answer.json.code, answer.json.Status]).toEqual([
      422,
      'validation_failed',
      'Error',
    ]);
    expect(answer.json.ErrorMessage).toBe('Unknown RoomTypeCode: SUITE.');
    expect(faultsOf(answer)).toEqual(['InventoryData.400.RoomTypeCode: unknown_code']);
    expect(await availability()).toEqual({ [day(0)]: 7 });
  });

  it('with one faulty night in a great push changes nothing', async () => {
    const push = Array.from({ length: 500 }, (_, index) => free(index, index, 1));
    expect((await setInventory(push.with(250, free(3, 3, -1)))).status).toBe(422);
    expect(await availability()).toEqual({});
  });

  it('of nothing changes nothing', async () => {
    const cost = await used(async () => expect((await setInventory([])).status).toBe(200));
    expect(cost.rowsWritten).toBe(0);
  });

  it('knows no rooms before they were fetched, nor those that went away', async () => {
    const token = await makeProperty('new');
    expect((await setInventory([free(0, 0, 1)], { token })).json.ErrorMessage).toContain('DLX');
    await giveRooms('new');
    expect((await setInventory([free(0, 0, 1)], { token })).status).toBe(200);
    await giveRooms('new', HOTEL.slice(1));
    expect((await setInventory([free(0, 0, 1)], { token })).json.ErrorMessage).toContain('DLX');
  });

  it('keeps two properties apart', async () => {
    const token = await makeProperty('beside');
    await giveRooms('beside');
    await setInventory([free(0, 1, 3)]);
    await setInventory([free(1, 2, 5)], { token });
    expect(Object.values(await availability())).toEqual([3, 3]);
    expect(Object.values(await availability('beside'))).toEqual([5, 5]);
  });

  it('that D1 did not answer can be sent again; lost answers count for done', async () => {
    const mend = breakSpan('d1.inventory.save');
    expect((await setInventory([free(0, 0, 1)])).status).toBe(504);
    mend();
    expect(await availability()).toEqual({});
    const find = loseAnswers('d1.inventory.save', 1);
    expect((await setInventory([free(0, 0, 1)])).status).toBe(504);
    find();
    expect(await availability()).toEqual({ [day(0)]: 1 });
    expect((await setInventory([free(0, 0, 1)])).status).toBe(200);
  });

  it.each<[string, unknown, string[]]>([
    ['no list', undefined, ['InventoryData: required']],
    ['an object', {}, ['InventoryData: invalid_type']],
    ['a range that is none', ['DLX'], ['InventoryData.0: invalid_type']],
    [
      'an empty range',
      [{}],
      ['RoomTypeCode', 'StartDate', 'EndDate', 'Availability'].map(
        (field) => `InventoryData.0.${field}: required`,
      ),
    ],
    ['a room without a code', [free(0, 0, 1, '')], ['InventoryData.0.RoomTypeCode: too_small']],
    [
      'a code of 51 characters',
      [free(0, 0, 1, 'x'.repeat(51))],
      ['InventoryData.0.RoomTypeCode: too_big'],
    ],
    [
      'a card number for a code',
      [free(0, 0, 1, '4539578763621486')],
      ['InventoryData.0.RoomTypeCode: card_number'],
    ],
    ['fewer than no rooms', [free(0, 0, -1)], ['InventoryData.0.Availability: too_small']],
    ['half a room', [free(0, 0, 0.5)], ['InventoryData.0.Availability: invalid_type']],
    [
      'a text for rooms',
      [{ ...free(0, 0, 1), Availability: '1' }],
      ['InventoryData.0.Availability: invalid_type'],
    ],
    ['more rooms than there are', [free(0, 0, 100_001)], ['InventoryData.0.Availability: too_big']],
    [
      'a day that does not exist',
      [{ ...free(0, 0, 1), StartDate: '2027-02-29' }],
      ['InventoryData.0.StartDate: invalid_date'],
    ],
    [
      'days written otherwise',
      [{ ...free(0, 0, 1), StartDate: '01-01-2027', EndDate: '2027-1-1' }],
      ['InventoryData.0.StartDate: invalid_date', 'InventoryData.0.EndDate: invalid_date'],
    ],
    ['an end before the start', [free(1, 0, 1)], ['InventoryData.0.EndDate: dates_out_of_order']],
    ['751 days', [free(0, 750, 1)], ['InventoryData.0.EndDate: too_big']],
    [
      'an end before the start beside another fault',
      [{ ...free(1, 0, -1) }],
      ['InventoryData.0.Availability: too_small', 'InventoryData.0.EndDate: dates_out_of_order'],
    ],
    [
      'more than 400,000 nights',
      Array.from({ length: 534 }, () => free(0, 749, 1)),
      ['InventoryData: too_big'],
    ],
  ])('refuses %s', async (_name, sent, faults) => {
    const answer = await setInventory(sent);
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed']);
    expect(faultsOf(answer)).toEqual(faults);
    expect(JSON.stringify(answer.json)).not.toContain('4539578763621486');
    expect(await availability()).toEqual({});
  });

  it('lists every faulty field, but not more than a hundred', async () => {
    const few = await setInventory([free(1, 0, 1), free(0, 0, 1), free(0, 0, -1)]);
    expect(faultsOf(few)).toEqual([
      'InventoryData.0.EndDate: dates_out_of_order',
      'InventoryData.2.Availability: too_small',
    ]);
    const many = await setInventory(Array.from({ length: 300 }, () => free(1, 0, -1)));
    expect(many.json.errors).toHaveLength(100);
  });

  it('takes as many nights as are allowed at once', async () => {
    const push = [
      ...Array.from({ length: 533 }, (_, index) => free(0, 749, index)),
      free(0, 249, 1_000),
    ];
    expect((await setInventory(push)).status).toBe(200);
    const kept = Object.values(await availability());
    expect([kept.length, kept[0], kept[249], kept[250], kept[749]]).toEqual([
      750, 1_000, 1_000, 532, 532,
    ]);
  });

  it('takes the first and the last days that there are', async () => {
    const edge = (StartDate: string, EndDate: string) => ({ ...free(0, 0, 1), StartDate, EndDate });
    expect((await setInventory([edge('9999-12-30', '9999-12-31')])).status).toBe(200);
    expect((await setInventory([edge('0001-01-01', '0001-01-02')])).status).toBe(200);
    expect(Object.keys(await availability())).toEqual([
      '0001-01-01',
      '0001-01-02',
      '9999-12-30',
      '9999-12-31',
    ]);
  });
});
