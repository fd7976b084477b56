import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call, callAsAdmin, makeBooking } from '../support/api.ts';
import { bodyWith, type TextField } from '../support/bodyFields.ts';
import { writings } from '../support/cardWritings.ts';
import { makeExisting } from '../support/existing.ts';
import { someOf } from '../support/long.ts';
import { giveRooms } from '../support/rooms.ts';
import type { Existing } from '../support/samples.ts';
import { allTextFields } from '../support/textFields.ts';

/** A valid number that no test card has. */
const NUMBER = '4539578763621486';

/** Credentials, which the service neither keeps nor repeats, and the place of a card number. */
const OTHERS = ['Authentication.Username', 'Authentication.Password', 'cardNumber'];

const fields = (await allTextFields()).filter(({ at }) => !OTHERS.includes(at.join('.')));

let existing: Existing;

beforeAll(async () => {
  existing = await makeExisting();
  await giveRooms();
});

function send(field: TextField, text: string): Promise<Answer> {
  const body = bodyWith(field, text, existing);
  return /^\/(admin|sandbox)\//.test(field.path)
    ? callAsAdmin(field.path, body)
    : call(field.path, body);
}

function faultAt({ json }: Answer, { at }: TextField): string | undefined {
  return json.errors?.find(({ field }) => field === at.join('.'))?.code;
}

describe('every text field of every operation', () => {
  it('is found', () => {
    const names = fields.map(({ path, at }) => `${path} ${at.join('.')}`);
    expect(names.length).toBeGreaterThan(150);
    expect(names).toContain('/application/v1/create agent.agentCode');
    expect(names).toContain('/rates/v1/push RateData.0.RateTypeCode');
    expect(names).toContain('/admin/v1/property/put pms.username');
  });

  it.each([
    ['a control character', 'A\u0007b'],
    ['a null character', '\u0000'],
    ['a line break of a header', 'House\r\nBcc: evil@hotel.com'],
    ['a control character of the second range', 'x\u0085y'],
    ['an unpaired surrogate', 'x\ud800y'],
    ['a card number', NUMBER],
    ['a card number after a code', `RES-${NUMBER}`],
  ])('refuses %s, and names the field', async (_name, text) => {
    const accepted: unknown[] = [];
    for (const field of someOf(fields, 8)) {
      const answer = await send(field, text);
      const named = faultAt(answer, field) ?? faultAt(answer, { ...field, at: [] });
      if (answer.status !== 422 || named === undefined) {
        accepted.push([field.path, field.at.join('.'), answer.status, answer.json.errors]);
      }
      expect(JSON.stringify(answer.json)).not.toContain(NUMBER);
    }
    expect(accepted).toEqual([]);
  });
});

describe('a card number', () => {
  it.each([
    ['/payment/v1/create', 'description', 'room 12, 4539.5787.6362.1486'],
    ['/refund/v1/create', 'description', '４５３９ ５７８７ ６３６２ １４８６'],
    ['/booking/v1/create/manage-payments', 'reference', `${NUMBER}-1`],
    ['/booking/v1/create/manage-payments', 'email', `${NUMBER}@hotel.com`],
    ['/booking/v1/create/manage-payments', 'phone', 'cc 4539 5787 6362 1486'],
    ['/booking/v1/create/manage-payments', 'pmsConfirmationNumber', '4539-5787-6362-1486'],
    ['/payment/v1/tokenize', 'cardHolderName', '4539/5787/6362/1486'],
    ['/application/v1/create', 'agent.agentCode', `cc${NUMBER}`],
    ['/application/v1/create', 'agent.phone', `+${NUMBER}`],
    ['/pms/v1/message', 'MessageID', `m-${NUMBER}`],
    ['/ping/v1', 'EchoData', NUMBER],
    ['/ping/v1', 'TimeStamp', NUMBER],
    ['/admin/v1/property/put', 'name', 'House 4539 5787 6362 1486'],
    ['/admin/v1/property/put', 'site', `h${NUMBER}.hotel.com`],
    ['/admin/v1/property/put', 'pms.url', `https://pms.hotel.com/${NUMBER}`],
  ])('is refused with its own code: %s %s %s', async (path, at, text) => {
    const field = { path, at: at.split('.') };
    const answer = await send(field, text);
    expect([answer.status, faultAt(answer, field)]).toEqual([422, 'card_number']);
  });

  it.each([
    ['/payment/v1/create', 'description', 'invoice 630000015838, folio 10004539578763621486'],
    ['/booking/v1/create/manage-payments', 'reference', 'RES-4539-5787-6362-1486'],
    ['/booking/v1/create/manage-payments', 'phone', '+61 412 345 678'],
    ['/booking/v1/create/manage-payments', 'phone', '+378282246310005'],
    ['/booking/v1/create/manage-payments', 'phone', '00 49 170 12345678'],
    ['/ping/v1', 'EchoData', '0903f462-ba97-4804-8236-8641119e6d56'],
    ['/payment/v1/create', 'description', 'Ligne 1\u2028e\u0301té 🏨 ‏שלום'],
  ])('is not seen in other texts: %s %s %s', async (path, at, text) => {
    await makeBooking('EXISTING-1', '4242424242424242');
    const { status } = await send({ path, at: at.split('.') }, text);
    expect(status).toBe(200);
  });

  it.each(someOf(writings, 4))(
    'in the name of a member is not repeated: $name',
    async ({ write }) => {
      const name = `card ${write(NUMBER)}`;
      const field = { path: '/admin/v1/property/put', at: ['cardFeeByBrand', name] };
      const answer = await send(field, 'x');
      const named = answer.json.errors?.map(({ field: one }) => one);
      expect([answer.status, named]).toEqual([422, ['cardFeeByBrand.(withheld)']]);
    },
  );

  it('in a path is not repeated, however it is written', async () => {
    const separated = ['%2C', '%20', '%2F', '.', '/', '%E2%80%93'].map(
      (separator) => `4539${separator}5787${separator}6362${separator}1486`,
    );
    const encoded = someOf(writings, 4).map(({ write }) => encodeURIComponent(write(NUMBER)));
    for (const written of [...separated, ...encoded]) {
      const answer = await call(`/nowhere/${written}`, {});
      expect([written, answer.status, answer.json]).toEqual([
        written,
        404,
        expect.objectContaining({ instance: '/' }),
      ]);
    }
  });
});

describe('a time', () => {
  const times = [
    ['/application/v1/update-status', 'time'],
    ['/application/v1/create', 'tenantApplications.0.createdDateTime'],
    ['/dispute/v1/list', 'from'],
    ['/disbursement/v1/get-all', 'to'],
    ['/admin/v1/reconciliation/run', 'to'],
  ] as const;

  it.each([
    ['9999-12-31T23:59:59-12:00'],
    ['9999-12-31T23:59:59.999-00:01'],
    ['0001-01-01T00:00:00+00:01'],
    ['0000-12-31T23:59:59Z'],
    ['+010000-01-01T00:00:00Z'],
  ])('outside the years 1 to 9999 of UTC is refused: %s', async (time) => {
    for (const [path, at] of times) {
      const field = { path, at: at.split('.').map((name) => (name === '0' ? 0 : name)) };
      const answer = await send(field, time);
      expect([path, answer.status, faultAt(answer, field)]).toEqual([
        path,
        422,
        expect.stringMatching(/^invalid_(time|value)$/),
      ]);
    }
  });

  it.each(['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '9999-12-31T12:00:00+14:00'])(
    'of the years 1 to 9999 is taken and shown: %s',
    async (createdDateTime) => {
      const { status, json } = await call('/application/v1/create', {
        email: 'years@hotel.com',
        arrival: '2027-02-14',
        departure: '2027-02-15',
        tenantApplications: [{ status: 'NEW', createdDateTime }],
      });
      expect(status).toBe(200);
      const shown = new Date(createdDateTime).toISOString().replace('.000', '');
      expect(json.application).toMatchObject({ tenantApplications: [{ createdDateTime: shown }] });
    },
  );
});
