import { describe, expect, it } from 'vitest';
import { type Answer, atTime, call, http, makeProperty, parsed } from '../support/api.ts';
import { applicationConsoleLine, propertySystemLine } from '../support/exportRecords.ts';
import { exported } from '../support/exports.ts';

const minimal = { email: 'guest@hotel.com', arrival: '2027-02-14', departure: '2027-02-24' };

let messages = 0;

function messageOf(MessageType: string, members: Record<string, unknown>) {
  messages += 1;
  return { MessageType, MessageID: `record-${messages}`, ...members };
}

function record(BookingData: Record<string, unknown>, options = {}): Promise<Answer> {
  return call('/pms/v1/message', messageOf('BookingRecord', { BookingData }), options);
}

function status(members: Record<string, unknown>): Promise<Answer> {
  return call('/pms/v1/message', messageOf('BookingStatus', members));
}

async function apply(details: Record<string, unknown> = {}): Promise<string> {
  const made = await call('/application/v1/create', { ...minimal, ...details });
  return made.json.application.applicationNumber;
}

async function read(applicationNumber: string) {
  return (await call('/application/v1/get-details', { applicationNumber })).json.application;
}

/** The lines of the property-system file, each checked. */
async function customers() {
  return (await exported('propertySystem')).map((line) => propertySystemLine.parse(line));
}

/** The line of a customer of the PMS. */
async function customer(entryId: number) {
  const lines = (await customers()).filter((line) => line.entryId === entryId);
  expect(lines.length).toBeLessThanOrEqual(1);
  return lines[0];
}

/** The line in which a booking of the PMS stands. */
async function holderOf(bookingId: number) {
  const lines = (await customers()).filter(({ bookings }) =>
    bookings.some((booking) => booking.bookingId === bookingId),
  );
  expect(lines).toHaveLength(1);
  return lines[0];
}

const everything = {
  entryId: 900,
  bookingId: 9000,
  bookingType: 'Renewal',
  gender: 'Gender Queer',
  nationality: 'NZ',
  city: 'Wellington',
  state: 'WGN',
  country: 'New Zealand',
  internationalStudent: true,
  nonStudent: false,
  arrival: '2027-01-01',
  departure: '2027-01-12',
  currentStatus: 'In Room',
  applicationTime: '2026-01-01T08:00:00+08:00',
  heldTime: '2026-02-01T08:00:00+08:00',
  reservedTime: '2026-03-01T08:00:00+08:00',
  inRoomTime: '2027-01-01T15:00:00+08:00',
  weeklyRate: 250.25,
  total: '393.30',
  inAustralia: true,
  ageOnArrival: 17,
  roomType: 'Studio',
  rateType: 'Annual',
  residents: 1,
  university: 'VUW',
  courseName: 'Arts',
  userAgent: 'curl/8.5.0',
  agent: { company: 'C', name: 'N', agentCode: 'A', agentCrm: 'R' },
};

describe('a BookingRecord', () => {
  it('of a booking that only the PMS knows makes one, with every field of 2.5', async () => {
    const saved = await record(everything);
    expect([saved.status, saved.json.Status]).toEqual([200, 'Success']);
    const { bookings, ...person } = (await customer(900)) ?? { bookings: [] };
    expect(person).toEqual({
      entryId: 900,
      property: 'demo',
      gender: 'Gender Queer',
      nationality: 'NZ',
      city: 'Wellington',
      state: 'WGN',
      country: 'New Zealand',
      internationalStudent: true,
      nonStudent: false,
      agent: { company: 'C', name: 'N', agentCode: 'A', agentCrm: 'R' },
    });
    expect(bookings).toEqual([
      {
        bookingId: 9000,
        bookingType: 'Renewal',
        applicationNumber: null,
        arrival: '2027-01-01',
        departure: '2027-01-12',
        weeksDuration: 1.6,
        nightsDuration: 11,
        currentStatus: 'In Room',
        applicationTime: '2026-01-01T00:00:00Z',
        heldTime: '2026-02-01T00:00:00Z',
        reservedTime: '2026-03-01T00:00:00Z',
        inRoomTime: '2027-01-01T07:00:00Z',
        historyTime: null,
        cancelledTime: null,
        currency: 'AUD',
        weeklyRate: 250.25,
        total: 393.3,
        inAustralia: true,
        ageOnArrival: 17,
        under18: true,
        roomType: 'Studio',
        rateType: 'Annual',
        residents: 1,
        university: 'VUW',
        courseName: 'Arts',
        userAgent: 'curl/8.5.0',
        isMobile: false,
        isTablet: false,
      },
    ]);
  });

  it('told again changes nothing, and told otherwise changes that', async () => {
    await record({ entryId: 901, bookingId: 9010, arrival: '2027-01-01', departure: '2027-01-08' });
    const first = await customer(901);
    expect(first?.bookings).toMatchObject([{ bookingType: 'Offline', currentStatus: 'Tentative' }]);
    await record({ entryId: 901, bookingId: 9010, arrival: '2027-01-01', departure: '2027-01-08' });
    expect(await customer(901)).toEqual(first);
    await record({
      bookingId: 9010,
      bookingType: 'Renewal',
      departure: '2027-01-15',
      city: 'Perth',
    });
    expect(await customer(901)).toMatchObject({
      city: 'Perth',
      bookings: [{ bookingId: 9010, bookingType: 'Renewal', nightsDuration: 14, weeksDuration: 2 }],
    });
  });

  it('may bring any state, also backwards; without a time it came into it now', async () => {
    await record({ entryId: 902, bookingId: 9020, currentStatus: 'History' });
    expect((await customer(902))?.bookings).toMatchObject([
      { currentStatus: 'History', historyTime: null },
    ]);
    await atTime('2027-05-05T05:05:05Z', () =>
      record({ bookingId: 9020, currentStatus: 'In Room' }),
    );
    expect((await customer(902))?.bookings).toMatchObject([
      { currentStatus: 'In Room', inRoomTime: '2027-05-05T05:05:05Z' },
    ]);
  });

  it('says nothing by null, and forgets nothing', async () => {
    await record({ ...everything, entryId: 905, bookingId: 9050 });
    const before = await customer(905);
    const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, null]));
    const told = await record({ ...nothing, bookingId: 9050 });
    expect(told.json.Status).toBe('Success');
    expect(await customer(905)).toEqual(before);
  });

  it('knows no offers: to be Tentative is no move of an offered application', async () => {
    const applicationNumber = await apply({ email: 'offered@hotel.com' });
    await call('/application/v1/update-status', { applicationNumber, status: 'Offered' });
    await record({ applicationNumber, bookingId: 9060, currentStatus: 'Tentative' });
    expect((await read(applicationNumber)).currentStatus).toBe('Offered');
    expect((await holderOf(9060))?.bookings[0]?.currentStatus).toBe('Tentative');
  });

  it('that brings a state back without a time keeps the time that it had', async () => {
    const heldTime = '2027-01-01T00:00:00Z';
    await record({ entryId: 907, bookingId: 9070, currentStatus: 'Held', heldTime });
    await record({ bookingId: 9070, currentStatus: 'Reserved' });
    await record({ bookingId: 9070, currentStatus: 'Held' });
    expect((await customer(907))?.bookings).toMatchObject([{ currentStatus: 'Held', heldTime }]);
  });

  it('without an entryId is of a customer of its own', async () => {
    await record({ bookingId: 9031 });
    await record({ bookingId: 9032 });
    expect((await holderOf(9031))?.bookings).toHaveLength(1);
    expect((await holderOf(9032))?.entryId).toBeNull();
  });

  it('at the same time as another of the same customer makes one customer', async () => {
    const ids = [9041, 9042, 9043, 9044];
    await Promise.all(ids.map((bookingId) => record({ entryId: 904, bookingId })));
    expect((await customer(904))?.bookings.map(({ bookingId }) => bookingId)).toEqual(
      expect.arrayContaining(ids),
    );
  });

  it('links an application to its entryId and bookingId', async () => {
    const applicationNumber = await apply({ email: 'link@hotel.com', city: 'Perth' });
    const linked = await record({ applicationNumber, entryId: 910, bookingId: 9100 });
    expect(linked.json.Status).toBe('Success');
    expect(await customer(910)).toMatchObject({
      city: 'Perth',
      bookings: [{ applicationNumber, bookingId: 9100, bookingType: 'Online' }],
    });
    const before = await read(applicationNumber);
    expect(before).toMatchObject({ email: 'link@hotel.com', currentStatus: 'Tentative' });
    await record({ bookingId: 9100, currentStatus: 'Reserved' });
    expect((await read(applicationNumber)).currentStatus).toBe('Reserved');
  });

  it('links only the application that it names: the contact’s other ones stay with the contact', async () => {
    const first = await apply({ email: 'two@hotel.com' });
    const second = await apply({ email: 'two@hotel.com' });
    const unlinked = (await customers()).find(({ bookings }) =>
      bookings.some(({ applicationNumber }) => applicationNumber === first),
    );
    expect(unlinked?.bookings.map(({ applicationNumber }) => applicationNumber)).toEqual([
      first,
      second,
    ]);
    await record({ applicationNumber: first, entryId: 911, bookingId: 9110 });
    expect((await customer(911))?.bookings).toMatchObject([{ applicationNumber: first }]);
    const left = (await customers()).find(({ bookings }) =>
      bookings.some(({ applicationNumber }) => applicationNumber === second),
    );
    expect(left).toMatchObject({ entryId: null, bookings: [{ applicationNumber: second }] });
    await record({ applicationNumber: second, entryId: 911, bookingId: 9111 });
    expect((await customer(911))?.bookings).toHaveLength(2);
    const third = await apply({ email: 'two@hotel.com' });
    expect((await customer(911))?.bookings).toHaveLength(2);
    expect((await read(third)).contactId).toBe((await read(first)).contactId);
  });

  it('moves an application to another customer of the PMS when the PMS says so', async () => {
    const applicationNumber = await apply({ email: 'moved@hotel.com' });
    await record({ applicationNumber, entryId: 912, bookingId: 9120 });
    await record({ applicationNumber, entryId: 913 });
    expect((await holderOf(9120))?.entryId).toBe(913);
    expect(await customer(912)).toBeUndefined();
  });

  it('of an application keeps its customer when the applicant’s address changes', async () => {
    const applicationNumber = await apply({ email: 'old@hotel.com' });
    await record({ applicationNumber, entryId: 914, bookingId: 9140 });
    await call('/application/v1/update', { applicationNumber, email: 'new@hotel.com' });
    expect((await holderOf(9140))?.entryId).toBe(914);
  });

  it('shows what is known of a customer by whichever of its bookings', async () => {
    const applicationNumber = await apply({
      email: 'known@hotel.com',
      gender: 'Female',
      city: 'Perth',
      internationalStudent: false,
      agent: { company: 'First' },
    });
    await record({ applicationNumber, entryId: 915, bookingId: 9150 });
    await record({ entryId: 915, bookingId: 9151, city: 'Sydney' });
    await record({ entryId: 915, bookingId: 9152 });
    expect(await customer(915)).toMatchObject({
      gender: 'Female',
      city: 'Sydney',
      internationalStudent: false,
      agent: { company: 'First' },
      bookings: [{ bookingId: 9150 }, { bookingId: 9151 }, { bookingId: 9152 }],
    });
  });

  it.each([
    [{}, 422, ['BookingData.bookingId required']],
    [{ bookingId: null, applicationNumber: null }, 422, ['BookingData.bookingId required']],
    [
      { bookingId: 'x', entryId: -1 },
      422,
      ['BookingData.bookingId invalid_type', 'BookingData.entryId too_small'],
    ],
    [{ bookingId: 9200, bookingType: 'Online' }, 422, ['BookingData.applicationNumber required']],
    [{ bookingId: 9200, bookingType: 'Walk-in' }, 422, ['BookingData.bookingType invalid_value']],
    [
      { bookingId: 9200, arrival: '2027-01-02', departure: '2027-01-01' },
      422,
      ['BookingData.departure departure_not_after_arrival'],
    ],
    [
      { bookingId: 9200, property: 'records', currency: 'USD' },
      422,
      ['BookingData.property invalid_value', 'BookingData.currency invalid_value'],
    ],
    [{ bookingId: 4_242_424_242_424_242 }, 422, ['BookingData.bookingId card_number']],
    [{ bookingId: 9200, heldTime: '2027-01-01' }, 422, ['BookingData.heldTime invalid_time']],
    [{ applicationNumber: 'APP-NOWHERE', bookingId: 9200 }, 404, undefined],
  ])('that cannot be is refused: %o', async (data, expected, faults) => {
    const answer = await record(data);
    const named = answer.json.errors?.map(({ field, code }) => `${field} ${code}`);
    expect([answer.status, answer.json.Status, named]).toEqual([expected, 'Error', faults]);
    const lines = await customers();
    expect(JSON.stringify(lines)).not.toContain('"bookingId":9200');
  });

  it('that contradicts what is known is refused, and changes nothing', async () => {
    const applicationNumber = await apply({ email: 'taken@hotel.com' });
    await record({ entryId: 921, bookingId: 9210, arrival: '2027-01-01', departure: '2027-01-08' });
    const before = await customers();
    const taken = await record({ applicationNumber, bookingId: 9210 });
    expect([taken.status, taken.json.code]).toEqual([409, 'invalid_state']);
    const type = await record({ applicationNumber, bookingType: 'Offline' });
    expect(type.json.errors[0]?.field).toBe('BookingData.bookingType');
    const online = await record({ bookingId: 9210, bookingType: 'Online' });
    expect(online.json.errors[0]?.field).toBe('BookingData.applicationNumber');
    const dates = await record({ bookingId: 9210, departure: '2026-12-31' });
    expect(dates.json.errors[0]?.field).toBe('BookingData.departure');
    expect(await customers()).toEqual(before);
  });

  it('of another property is as if it did not exist', async () => {
    const token = await makeProperty('records');
    const applicationNumber = await apply({ email: 'foreign@hotel.com' });
    const foreign = await record({ applicationNumber, bookingId: 9300 }, { token });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'application_not_found']);
    await record({ entryId: 930, bookingId: 9301 });
    await record({ entryId: 930, bookingId: 9301, city: 'Theirs' }, { token });
    const both = (await customers()).filter(({ entryId }) => entryId === 930);
    expect(both.map(({ property, city }) => [property, city])).toEqual([
      ['demo', null],
      ['records', 'Theirs'],
    ]);
  });

  it('is taken with the PMS’s own credentials', async () => {
    const message = {
      ...messageOf('BookingRecord', { BookingData: { entryId: 940, bookingId: 9400 } }),
      Authentication: { Username: 'pms-user', Password: 'pms-pass' },
    };
    const sent = await parsed(
      await http('/pms/v1/message', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(message),
      }),
    );
    expect([sent.status, sent.json.MessageID]).toEqual([200, message.MessageID]);
    expect(await customer(940)).toBeDefined();
  });
});

describe('a BookingStatus', () => {
  it('moves an application by either of its numbers, as the state machine allows', async () => {
    const applicationNumber = await apply({ email: 'status@hotel.com' });
    await record({ applicationNumber, entryId: 950, bookingId: 9500 });
    const Time = '2027-01-02T09:00:00+08:00';
    expect(
      (await status({ ApplicationNumber: applicationNumber, Status: 'Held', Time })).status,
    ).toBe(200);
    expect((await status({ BookingID: 9500, Status: 'Reserved' })).status).toBe(200);
    const refused = await status({ BookingID: 9500, Status: 'History' });
    expect([refused.status, refused.json.code, refused.json.Status]).toEqual([
      409,
      'invalid_state',
      'Error',
    ]);
    expect(await read(applicationNumber)).toMatchObject({
      currentStatus: 'Reserved',
      heldTime: '2027-01-02T01:00:00Z',
    });
  });

  it('with both numbers moves the application only if both are its own', async () => {
    const ApplicationNumber = await apply({ email: 'both@hotel.com' });
    await record({ applicationNumber: ApplicationNumber, entryId: 952, bookingId: 9520 });
    await record({ entryId: 952, bookingId: 9521 });
    const other = await status({ ApplicationNumber, BookingID: 9521, Status: 'Held' });
    expect([other.status, other.json.code]).toEqual([404, 'application_not_found']);
    expect((await status({ ApplicationNumber, BookingID: 9520, Status: 'Held' })).status).toBe(200);
    const one = { ApplicationNumber: null, BookingID: 9520, Status: 'Reserved', Time: null };
    expect((await status(one)).status).toBe(200);
  });

  it('moves a booking that only the PMS knows', async () => {
    await record({ entryId: 951, bookingId: 9510, currentStatus: 'Reserved' });
    await status({ BookingID: 9510, Status: 'In Room' });
    expect((await customer(951))?.bookings).toMatchObject([{ currentStatus: 'In Room' }]);
  });

  it.each([
    [{ Status: 'Held' }, 422, ['ApplicationNumber required']],
    [
      { BookingID: 'x', Status: 'Lost', Time: 'now' },
      422,
      ['BookingID invalid_type', 'Status invalid_value', 'Time invalid_time'],
    ],
    [{ BookingID: 1, Status: 'Held' }, 404, undefined],
    [{ ApplicationNumber: 'APP-NOWHERE', Status: 'Held' }, 404, undefined],
  ])('that cannot be is refused: %o', async (members, expected, faults) => {
    const answer = await status(members);
    const named = answer.json.errors?.map(({ field, code }) => `${field} ${code}`);
    expect([answer.status, answer.json.Status, named]).toEqual([expected, 'Error', faults]);
  });
});

describe('both files', () => {
  it('have only lines of the interface’s shape', async () => {
    await apply({ email: 'shape@hotel.com', total: 1 });
    for (const line of await exported('propertySystem')) propertySystemLine.parse(line);
    const applications = await exported('applicationConsole');
    for (const line of applications) applicationConsoleLine.parse(line);
    expect(applications.length).toBeGreaterThan(5);
  });
});
