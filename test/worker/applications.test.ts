import { describe, expect, it } from 'vitest';
import type { ApplicationStatus } from '../../src/records/applications/states.ts';
import type { ApplicationBody } from '../support/answers.ts';
import {
  type Answer,
  atTime,
  bookingOf,
  call,
  callAsAdmin,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { applicationConsoleLine } from '../support/exportRecords.ts';
import { exported } from '../support/exports.ts';
import { breakSpan, justBefore, loseAnswers } from '../support/faults.ts';
import { enterCard, visit } from '../support/guest.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms'] });

const CREATE = '/application/v1/create';
const UPDATE = '/application/v1/update';
const MOVE = '/application/v1/update-status';
const GET = '/application/v1/get-details';

const minimal = { email: 'guest@hotel.com', arrival: '2027-02-14', departure: '2027-02-24' };

async function make(details: Record<string, unknown> = {}): Promise<ApplicationBody> {
  const made = await call(CREATE, { ...minimal, ...details });
  expect([made.status, made.json.success]).toEqual([200, true]);
  return made.json.application;
}

async function read(applicationNumber: string): Promise<ApplicationBody> {
  return (await call(GET, { applicationNumber })).json.application;
}

function faultsOf({ status, json }: Answer) {
  return [status, json.code, json.errors?.map(({ field, code }) => `${field} ${code}`).toSorted()];
}

const full = {
  ...minimal,
  weeklyRate: '310.50',
  total: 443.57,
  gender: 'Transgender female/Transwoman/MTF',
  nationality: 'Österreich',
  city: 'A B "q" \\ 🎓 \u2028',
  state: 'WA',
  country: 'Australia',
  internationalStudent: true,
  nonStudent: false,
  inAustralia: false,
  roomType: 'Studio',
  rateType: 'Semester',
  residents: 2,
  university: 'UWA',
  courseName: 'Law',
  agent: {
    company: 'Agents & Co',
    name: 'Al',
    email: 'al@agents.com',
    phone: '+61 8 1234',
    agentCode: 'A1',
    agentCrm: 'CRM-1',
  },
};

describe('an application', () => {
  it('is made with what is said of it, and what the service sets', async () => {
    const application = await atTime('2026-11-21T01:02:03Z', () => make(full));
    const { applicationNumber, contactId, ...rest } = application;
    expect(applicationNumber).toMatch(/^APP-/);
    expect(contactId).toBeGreaterThan(0);
    expect(rest).toEqual({
      ...full,
      weeklyRate: 310.5,
      reference: null,
      property: 'demo',
      bookingType: 'Online',
      currentStatus: 'Tentative',
      applicationTime: '2026-11-21T01:02:03Z',
      offeredTime: null,
      heldTime: null,
      reservedTime: null,
      inRoomTime: null,
      historyTime: null,
      cancelledTime: null,
      nightsDuration: 10,
      weeksDuration: 2,
      currency: 'AUD',
      dateOfBirth: null,
      ageOnArrival: null,
      under18: null,
      userAgent: null,
      isMobile: null,
      isTablet: null,
      tenantApplications: [],
    });
    expect(await read(applicationNumber)).toEqual(application);
  });

  it('of the same e-mail address has the same contact, at one property', async () => {
    const first = await make({ email: 'Same@Hotel.com' });
    const second = await make({ email: 'same@hotel.com' });
    expect(second.contactId).toBe(first.contactId);
    expect(second.email).toBe('same@hotel.com');
    expect((await make({ email: 'other@hotel.com' })).contactId).not.toBe(first.contactId);
    const token = await makeProperty('elsewhere');
    const elsewhere = await call(CREATE, { ...minimal, email: 'same@hotel.com' }, { token });
    expect(elsewhere.json.application.contactId).not.toBe(first.contactId);
  });

  it('made many times at once has as many numbers and one contact', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, () => make({ email: 'crowd@hotel.com' })),
    );
    expect(new Set(all.map(({ applicationNumber }) => applicationNumber)).size).toBe(12);
    expect(new Set(all.map(({ contactId }) => contactId)).size).toBe(1);
  });

  it('has its tenancies completed', async () => {
    const id = '0f9b2c1e-7a55-4a1b-9a51-3f1f0f3f7b7e';
    const application = await make({
      tenantApplications: [
        {
          tenantApplicationId: id,
          createdDateTime: '2026-01-01T08:00:00+08:00',
          applicants: [{ tenantApplicationApplicantId: 'one', contactId: 7 }],
        },
      ],
    });
    expect(application['tenantApplications']).toEqual([
      {
        tenantApplicationId: id,
        tenantApplicationProcessId: null,
        status: 'NEW',
        applicants: [{ tenantApplicationApplicantId: 'one', contactId: 7 }],
        createdDateTime: '2026-01-01T00:00:00Z',
        lastUpdatedDateTime: '2026-01-01T00:00:00Z',
      },
    ]);
  });

  it('is one of the applicants of its tenancy, before and after it is another contact’s', async () => {
    const tenantApplications = [
      {
        applicants: [
          { tenantApplicationApplicantId: 'other', contactId: 7 },
          { tenantApplicationApplicantId: '"contactId":null' },
        ],
      },
      {},
    ];
    const { applicationNumber } = await make({ email: 'one@hotel.com', tenantApplications });
    for (const email of ['one@hotel.com', 'another@hotel.com']) {
      const { json } = await call(UPDATE, { applicationNumber, email });
      const { contactId, tenantApplications: shown } = json.application;
      expect(shown).toMatchObject([
        { applicants: [{ contactId: 7 }, { contactId }] },
        { applicants: [{ contactId }] },
      ]);
      const lines = await exported('applicationConsole');
      const line = lines
        .map((one) => applicationConsoleLine.parse(one))
        .find((one) => one.applicationNumber === applicationNumber);
      expect(line?.tenantApplications).toEqual(shown);
    }
  });

  it('may name its property and currency, if they are its own', async () => {
    expect(await make({ property: 'demo', currency: 'AUD' })).toMatchObject({
      property: 'demo',
      currency: 'AUD',
    });
    const foreign = { property: 'elsewhere', currency: 'USD' };
    const faults = ['currency invalid_value', 'property invalid_value'];
    expect(faultsOf(await call(CREATE, { ...minimal, ...foreign }))[2]).toEqual(faults);
    const { applicationNumber } = await make();
    expect(faultsOf(await call(UPDATE, { applicationNumber, ...foreign }))[2]).toEqual(faults);
  });

  it.each([
    [{}, ['arrival required', 'departure required', 'email required']],
    [{ ...minimal, email: 'nobody' }, ['email invalid_format']],
    [{ ...minimal, arrival: '14-02-2027' }, ['arrival invalid_date']],
    [{ ...minimal, arrival: '2027-02-30' }, ['arrival invalid_date']],
    [{ ...minimal, departure: '2027-02-14' }, ['departure departure_not_after_arrival']],
    [
      { ...minimal, gender: 'Unknown', residents: 1.5 },
      ['gender invalid_value', 'residents invalid_type'],
    ],
    [
      { ...minimal, total: '12.345', weeklyRate: -1 },
      ['total amount_precision', 'weeklyRate amount_out_of_range'],
    ],
    [{ ...minimal, dateOfBirth: '2028-01-01' }, ['dateOfBirth invalid_date']],
    [{ ...minimal, internationalStudent: 'yes' }, ['internationalStudent invalid_type']],
    [{ ...minimal, city: '4242 4242 4242 4242' }, ['city card_number']],
    [{ ...minimal, agent: { company: 5 } }, ['agent.company invalid_type']],
    [
      {
        ...minimal,
        agent: { email: '4242424242424242' },
        tenantApplications: [
          {
            status: 'paid 4242 4242 4242 4242',
            applicants: [
              {
                tenantApplicationApplicantId: '4242424242424242',
                contactId: 4_242_424_242_424_242,
              },
            ],
          },
        ],
      },
      [
        'agent.email card_number',
        'tenantApplications.0.applicants.0.contactId card_number',
        'tenantApplications.0.applicants.0.tenantApplicationApplicantId card_number',
        'tenantApplications.0.status card_number',
      ],
    ],
    [
      {
        ...minimal,
        tenantApplications: Array.from({ length: 50 }, () => ({
          applicants: Array.from({ length: 5 }, () => ({
            tenantApplicationApplicantId: 'A'.repeat(90),
          })),
        })),
      },
      ['tenantApplications too_big'],
    ],
    [
      { ...minimal, tenantApplications: [{ tenantApplicationId: 'x' }] },
      ['tenantApplications.0.tenantApplicationId invalid_format'],
    ],
    [
      { email: 5, arrival: '2027-02-14', departure: '2027-02-14', residents: 'two' },
      ['departure departure_not_after_arrival', 'email invalid_type', 'residents invalid_type'],
    ],
  ])('is refused with every faulty field named: %o', async (body, faults) => {
    const before = await count();
    const [status, , named] = faultsOf(await call(CREATE, body));
    expect([status, named]).toEqual([422, faults]);
    expect(await count()).toBe(before);
  });

  it('of a booking that there is not is refused', async () => {
    const made = await call(CREATE, { ...minimal, reference: 'NOWHERE' });
    expect([made.status, made.json.code]).toEqual([404, 'booking_not_found']);
  });

  it('that there is not is 404 everywhere', async () => {
    const applicationNumber = 'APP-NOWHERE';
    for (const [path, body] of [
      [GET, {}],
      [UPDATE, { city: 'Perth' }],
      [MOVE, { status: 'Held' }],
    ] as const) {
      const answer = await call(path, { applicationNumber, ...body });
      expect([answer.status, answer.json.code]).toEqual([404, 'application_not_found']);
    }
  });

  it('fixes the currency of its property', async () => {
    const token = await makeProperty('yen', { currency: 'JPY' });
    const made = await call(CREATE, { ...minimal, total: 15000 }, { token });
    expect(made.json.application).toMatchObject({ currency: 'JPY', total: 15000 });
    const changed = await callAsAdmin('/admin/v1/property/put', {
      property: 'yen',
      name: 'Yen',
      site: 'yen.localhost',
      currency: 'AUD',
      timeZone: 'Asia/Tokyo',
    });
    expect([changed.status, changed.json.code]).toEqual([409, 'invalid_state']);
  });
});

async function count(): Promise<unknown> {
  return testEnv.DB.prepare('SELECT count(*) AS n FROM applications').first('n');
}

describe('a change of an application', () => {
  it('keeps what it leaves out, clears what is null, and derives anew', async () => {
    const before = await make({ ...full, dateOfBirth: '2009-02-15' });
    expect(before).toMatchObject({ ageOnArrival: 17, under18: true });
    const { applicationNumber } = before;
    const changed = await call(UPDATE, {
      applicationNumber,
      arrival: '2027-02-15',
      city: null,
      residents: 3,
    });
    expect(changed.json.application).toEqual({
      ...before,
      arrival: '2027-02-15',
      nightsDuration: 9,
      ageOnArrival: 18,
      under18: false,
      city: null,
      residents: 3,
    });
    expect(await read(applicationNumber)).toEqual(changed.json.application);
  });

  it('to another e-mail address is another contact, and back again the first', async () => {
    const first = await make({ email: 'first@hotel.com' });
    const { applicationNumber } = first;
    const second = await call(UPDATE, { applicationNumber, email: 'second@hotel.com' });
    expect(second.json.application.contactId).not.toBe(first.contactId);
    const third = await call(UPDATE, { applicationNumber, email: 'FIRST@hotel.com' });
    expect(third.json.application).toMatchObject({
      contactId: first.contactId,
      email: 'FIRST@hotel.com',
    });
  });

  it('whose dates do not fit those said before is refused, and changes nothing', async () => {
    const before = await make({ dateOfBirth: '2000-01-01' });
    const { applicationNumber } = before;
    const departure = await call(UPDATE, { applicationNumber, departure: '2027-02-01', city: 'X' });
    expect(faultsOf(departure)).toEqual([
      422,
      'validation_failed',
      ['departure departure_not_after_arrival'],
    ]);
    const arrival = await call(UPDATE, { applicationNumber, arrival: '1999-01-01' });
    expect(arrival.status).toBe(422);
    expect(await read(applicationNumber)).toEqual(before);
  });

  it('links a booking, and unlinks it', async () => {
    await makeBooking('LINK');
    const { applicationNumber } = await make();
    const linked = await call(UPDATE, { applicationNumber, reference: 'LINK' });
    expect(linked.json.application['reference']).toBe('LINK');
    const unlinked = await call(UPDATE, { applicationNumber, reference: null });
    expect(unlinked.json.application['reference']).toBeNull();
    const missing = await call(UPDATE, { applicationNumber, reference: 'NOWHERE' });
    expect(missing.json.code).toBe('booking_not_found');
  });

  it('at the same time as others loses none of them', async () => {
    const { applicationNumber } = await make();
    const changes = [{ city: 'Perth' }, { state: 'WA' }, { country: 'Australia' }];
    const answers = await Promise.all(
      changes.map((change) => call(UPDATE, { applicationNumber, ...change })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await read(applicationNumber)).toMatchObject({
      city: 'Perth',
      state: 'WA',
      country: 'Australia',
    });
  });
});

/** How an application comes into each state. */
const WAYS: Readonly<Record<ApplicationStatus, readonly ApplicationStatus[]>> = {
  Tentative: [],
  Offered: ['Offered'],
  Held: ['Held'],
  Reserved: ['Offered', 'Held', 'Reserved'],
  'In Room': ['Held', 'Reserved', 'In Room'],
  History: ['Held', 'Reserved', 'In Room', 'History'],
  Cancelled: ['Cancelled'],
};

const NEXT: Readonly<Record<ApplicationStatus, readonly string[]>> = {
  Tentative: ['Offered', 'Held', 'Cancelled'],
  Offered: ['Held', 'Cancelled'],
  Held: ['Reserved', 'Cancelled'],
  Reserved: ['In Room', 'Cancelled'],
  'In Room': ['History', 'Cancelled'],
  History: ['Cancelled'],
  Cancelled: ['Cancelled'],
};

describe.each(Object.keys(WAYS) as ApplicationStatus[])('from %s', (from) => {
  it.each(Object.keys(WAYS) as ApplicationStatus[])(
    'to %s is as the state machine has it',
    async (to) => {
      const { applicationNumber } = await make();
      for (const status of WAYS[from]) await call(MOVE, { applicationNumber, status });
      const before = await read(applicationNumber);
      expect(before.currentStatus).toBe(from);
      const moved = await call(MOVE, { applicationNumber, status: to });
      if (NEXT[from].includes(to)) {
        expect([moved.status, moved.json.application.currentStatus]).toEqual([200, to]);
      } else {
        expect([moved.status, moved.json.code]).toEqual([409, 'invalid_state']);
        expect(moved.json.detail).toContain(from);
        expect(await read(applicationNumber)).toEqual(before);
      }
    },
  );
});

describe('a move', () => {
  it('keeps when it was made, or when the caller says that it was', async () => {
    const { applicationNumber } = await make();
    await atTime('2027-01-01T00:00:00Z', () =>
      call(MOVE, { applicationNumber, status: 'Offered' }),
    );
    const time = '2027-01-02T09:00:00+08:00';
    await call(MOVE, { applicationNumber, status: 'Held', time });
    expect(await read(applicationNumber)).toMatchObject({
      currentStatus: 'Held',
      offeredTime: '2027-01-01T00:00:00Z',
      heldTime: '2027-01-02T01:00:00Z',
      reservedTime: null,
    });
  });

  it('told again with its time is the same move', async () => {
    const { applicationNumber } = await make();
    const body = { applicationNumber, status: 'Held', time: '2027-01-02T09:00:00+08:00' };
    const first = await call(MOVE, body);
    const again = await call(MOVE, body);
    expect([again.status, again.json]).toEqual([200, first.json]);
    const other = await call(MOVE, { ...body, time: '2027-01-03T09:00:00+08:00' });
    expect(other.status).toBe(409);
  });

  it('of a cancelled application to Cancelled keeps the first time', async () => {
    const { applicationNumber } = await make();
    const first = await call(MOVE, { applicationNumber, status: 'Cancelled' });
    const again = await atTime('2030-01-01T00:00:00Z', () =>
      call(MOVE, { applicationNumber, status: 'Cancelled' }),
    );
    expect([again.status, again.json]).toEqual([200, first.json]);
  });

  it.each([
    [{ status: 'Lost' }, ['status invalid_value']],
    [{ status: 'Held', time: 'yesterday' }, ['time invalid_time']],
    [{ status: 'Held', time: '2027-01-01T00:00:00' }, ['time invalid_time']],
    [{}, ['status required']],
  ])('with bad input names every faulty field: %o', async (body, faults) => {
    const { applicationNumber } = await make();
    expect(faultsOf(await call(MOVE, { applicationNumber, ...body }))[2]).toEqual(faults);
  });

  it('made by many at once is made once', async () => {
    const { applicationNumber } = await make();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call(MOVE, { applicationNumber, status: 'Held' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
  });
});

describe('the booking of an application', () => {
  const GOOD = '4242424242424242';

  async function withBooking(reference: string, card = GOOD): Promise<string> {
    await makeBooking(reference, card);
    return (await make({ reference })).applicationNumber;
  }

  const deposit = (reference: string) => ({ reference, amount: 10, transactionType: 'Deposit' });

  it('makes it Held by an accepted deposit', async () => {
    const number = await withBooking('DEP-1');
    await call('/payment/v1/create', deposit('DEP-1'));
    const { currentStatus, heldTime } = await read(number);
    expect([currentStatus, typeof heldTime]).toEqual(['Held', 'string']);
  });

  it('makes it Held by the deposit that its guest pays on the page', async () => {
    const number = await withBooking('DEP-PAGE');
    const guest = await visit('DEP-PAGE');
    await enterCard(guest, GOOD);
    await guest.submit({ choice: 'deposit' });
    if (/name="agreedMinor"/.test(guest.page.html)) await guest.submit();
    expect(await transactionsOf('DEP-PAGE')).toMatchObject([
      { type: 'PaymentDeposit', status: 'Accepted' },
    ]);
    expect((await read(number)).currentStatus).toBe('Held');
  });

  it('makes an offered one Held by a captured deposit', async () => {
    const applicationNumber = await withBooking('DEP-2');
    await call(MOVE, { applicationNumber, status: 'Offered' });
    const expiryTime = new Date(Date.now() + 3_600_000).toISOString();
    const body = { ...deposit('DEP-2'), preAuth: true, expiryTime };
    const held = await call('/payment/v1/create', body);
    expect((await read(applicationNumber)).currentStatus).toBe('Offered');
    const chargeId = held.json.transaction.id;
    await call('/payment/v1/charge-pre-auth', { reference: 'DEP-2', chargeId });
    expect((await read(applicationNumber)).currentStatus).toBe('Held');
  });

  it.each([
    ['a balance', GOOD, { transactionType: 'Balance' }],
    ['a declined deposit', '4000000000000002', { transactionType: 'Deposit' }],
    ['a deposit whose outcome is not known', '4000000000009102', { transactionType: 'Deposit' }],
  ])('leaves it as it is by %s', async (name, card, type) => {
    const reference = `DEP ${name}`;
    const number = await withBooking(reference, card);
    await call('/payment/v1/create', { reference, amount: 10, ...type });
    expect((await read(number)).currentStatus).toBe('Tentative');
  });

  it('moves none that is further on, or another booking’s, by a deposit', async () => {
    const applicationNumber = await withBooking('DEP-3');
    const other = (await make()).applicationNumber;
    for (const status of ['Held', 'Reserved']) await call(MOVE, { applicationNumber, status });
    const before = await read(applicationNumber);
    await call('/payment/v1/create', deposit('DEP-3'));
    expect(await read(applicationNumber)).toEqual(before);
    expect((await read(other)).currentStatus).toBe('Tentative');
  });

  it('cancels it with itself, from whatever state, and does not bring it back', async () => {
    const applicationNumber = await withBooking('DEP-4');
    const save = (status: string) =>
      call('/booking/v1/create/manage-payments', bookingOf('DEP-4', { status }));
    await call(MOVE, { applicationNumber, status: 'Held' });
    await save('booked');
    expect((await read(applicationNumber)).currentStatus).toBe('Held');
    await save('cancelled');
    const cancelled = await read(applicationNumber);
    expect([cancelled.currentStatus, typeof cancelled['cancelledTime']]).toEqual([
      'Cancelled',
      'string',
    ]);
    await save('cancelled');
    await save('booked');
    expect(await read(applicationNumber)).toEqual(cancelled);
  });

  it('changes it in the same batch: when the batch fails, neither changes', async () => {
    const number = await withBooking('DEP-5');
    const mend = breakSpan('d1.booking.save');
    const failed = await call(
      '/booking/v1/create/manage-payments',
      bookingOf('DEP-5', { status: 'cancelled' }),
    );
    mend();
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect((await read(number)).currentStatus).toBe('Tentative');
  });
});

describe('a booking whose deposit was paid before', () => {
  const GOOD = '4242424242424242';
  const LINKED_AT = '2026-11-21T01:02:03Z';

  const pay = (reference: string, transactionType = 'Deposit') =>
    call('/payment/v1/create', { reference, amount: 10, transactionType });

  async function paid(reference: string): Promise<string> {
    await makeBooking(reference, GOOD);
    expect((await pay(reference)).status).toBe(200);
    return reference;
  }

  it('makes a new application Held, at the time of its making', async () => {
    const reference = await paid('EARLY-1');
    const application = await atTime(LINKED_AT, () => make({ reference }));
    expect(application).toMatchObject({
      currentStatus: 'Held',
      applicationTime: LINKED_AT,
      heldTime: LINKED_AT,
    });
    expect(await read(application.applicationNumber)).toEqual(application);
  });

  it.each(['Tentative', 'Offered'])('makes one that was %s Held when it is linked', async (was) => {
    const reference = await paid(`EARLY-2 ${was}`);
    const { applicationNumber } = await make();
    if (was === 'Offered') await call(MOVE, { applicationNumber, status: was });
    const body = { applicationNumber, reference, city: 'Perth' };
    const { json } = await atTime(LINKED_AT, () => call(UPDATE, body));
    expect(json.application).toMatchObject({
      currentStatus: 'Held',
      heldTime: LINKED_AT,
      reference,
      city: 'Perth',
    });
    expect(await read(applicationNumber)).toEqual(json.application);
  });

  it('makes one Held that is linked with another address, and one that was another booking’s', async () => {
    const reference = await paid('EARLY-3');
    await makeBooking('EARLY-4');
    const { applicationNumber } = await make({ reference: 'EARLY-4' });
    const { json } = await call(UPDATE, { applicationNumber, reference, email: 'new@hotel.com' });
    expect(json.application.currentStatus).toBe('Held');
  });

  it.each(['Reserved', 'Cancelled'])('leaves one that is %s as it is', async (status) => {
    const reference = await paid(`EARLY-5 ${status}`);
    const { applicationNumber } = await make();
    for (const step of status === 'Reserved' ? ['Held', status] : [status]) {
      await call(MOVE, { applicationNumber, status: step });
    }
    const before = await read(applicationNumber);
    const { json } = await call(UPDATE, { applicationNumber, reference });
    expect(json.application).toEqual({ ...before, reference });
  });

  it.each([
    ['a balance', GOOD, 'Balance'],
    ['a declined deposit', '4000000000000002', 'Deposit'],
    ['a deposit whose outcome is not known', '4000000000009102', 'Deposit'],
  ])('is none with %s alone', async (name, card, transactionType) => {
    const reference = `EARLY ${name}`;
    await makeBooking(reference, card);
    await pay(reference, transactionType);
    const { applicationNumber, currentStatus, heldTime } = await make({ reference });
    expect([currentStatus, heldTime]).toEqual(['Tentative', null]);
    await call(UPDATE, { applicationNumber, reference: null });
    const { json } = await call(UPDATE, { applicationNumber, reference });
    expect(json.application.currentStatus).toBe('Tentative');
  });

  it('does not move an application again that the PMS has moved back since', async () => {
    const reference = await paid('EARLY-6');
    const { applicationNumber } = await make({ reference });
    const back = { applicationNumber, currentStatus: 'Tentative', bookingId: 61 };
    const record = { MessageType: 'BookingRecord', MessageID: 'back', BookingData: back };
    expect((await call('/pms/v1/message', record)).status).toBe(200);
    const { json } = await call(UPDATE, { applicationNumber, reference, city: 'Perth' });
    expect(json.application.currentStatus).toBe('Tentative');
  });

  it('is told once where D1 loses the answer', async () => {
    const reference = await paid('EARLY-7');
    const { applicationNumber } = await make();
    const mend = loseAnswers('d1.application.save', 1);
    const { status, json } = await call(UPDATE, { applicationNumber, reference });
    mend();
    expect([status, json.application.currentStatus]).toEqual([200, 'Held']);
  });

  it('moves the application also when the deposit is accepted while it is linked', async () => {
    await makeBooking('MEET-1', GOOD);
    const { applicationNumber } = await make();
    const mend = justBefore('d1.application.save', () => pay('MEET-1'));
    const { json } = await call(UPDATE, { applicationNumber, reference: 'MEET-1' });
    mend();
    expect(json.application.currentStatus).toBe('Held');
    await makeBooking('MEET-2', GOOD);
    const mendAgain = justBefore('d1.application.save', () => pay('MEET-2'));
    expect((await make({ reference: 'MEET-2' })).currentStatus).toBe('Held');
    mendAgain();
  });

  it('moves the application also when it is linked while the deposit is accepted', async () => {
    await makeBooking('MEET-3', GOOD);
    const linked = await make();
    const { applicationNumber } = linked;
    const mend = justBefore('d1.transaction.apply', () =>
      call(UPDATE, { applicationNumber, reference: 'MEET-3' }),
    );
    await pay('MEET-3');
    mend();
    expect((await read(applicationNumber)).currentStatus).toBe('Held');
  });

  it('moves the applications however many are linked while it is paid', async () => {
    await makeBooking('MEET-4', GOOD);
    const made = await Promise.all(Array.from({ length: 6 }, () => make()));
    const linked = made.map(({ applicationNumber }) =>
      call(UPDATE, { applicationNumber, reference: 'MEET-4' }),
    );
    const [, ...answers] = await Promise.all([pay('MEET-4'), ...linked]);
    expect(answers.map(({ status }) => status)).toEqual(made.map(() => 200));
    for (const { applicationNumber } of made) {
      expect((await read(applicationNumber)).currentStatus).toBe('Held');
    }
  });
});

describe('an answer of D1 that is lost', () => {
  it('makes no second application, and is told as it was done', async () => {
    const before = Number(await count());
    const restore = loseAnswers('d1.application.save', 1);
    const made = await call(CREATE, minimal);
    restore();
    expect(made.status).toBe(200);
    expect(await count()).toBe(before + 1);
    const { applicationNumber } = made.json.application;
    const again = loseAnswers('d1.application.save', 1);
    const moved = await call(MOVE, { applicationNumber, status: 'Held' });
    again();
    expect([moved.status, moved.json.application.currentStatus]).toEqual([200, 'Held']);
  });

  it('that never came is 504, since D1 did not say that it took nothing', async () => {
    const before = await count();
    const mend = breakSpan('d1.application.save');
    const made = await call(CREATE, minimal);
    mend();
    expect([made.status, made.json.code]).toEqual([504, 'outcome_unknown']);
    expect(await count()).toBe(before);
  });
});
