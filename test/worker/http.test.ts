import { describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { WakeUps } from '../../src/booking/wakeUps.ts';
import { Trace } from '../../src/platform/trace.ts';
import { bookingOf, call, callAsAdmin, engineToken, http, parsed } from '../support/api.ts';
import { deployedEnv } from '../support/deployedEnv.ts';
import { story } from '../support/story.ts';

story();

const DETAILS = '/booking/v1/get-details';
const SAVE = '/booking/v1/create/manage-payments';

/** Longer than any text on one line may be. */
const LONG = 'x'.repeat(1_001);

const LATE = 'departure departure_not_after_arrival';

async function post(body: BodyInit | null, contentType: string | null) {
  const headers: Record<string, string> = { Authorization: `Bearer ${await engineToken()}` };
  if (contentType !== null) headers['Content-Type'] = contentType;
  return parsed(await http(DETAILS, { method: 'POST', headers, body }));
}

describe('problems', () => {
  it('have every member that the interface names', async () => {
    const { status, headers, json } = await call(DETAILS, { reference: 'NOWHERE' });
    expect(status).toBe(404);
    expect(headers.get('Content-Type')).toBe('application/problem+json');
    expect(json).toEqual({
      type: 'urn:problem:booking_not_found',
      title: expect.any(String),
      status: 404,
      detail: expect.any(String),
      instance: DETAILS,
      success: false,
      code: 'booking_not_found',
      requestId: headers.get('X-Request-Id'),
    });
  });

  it('name every faulty field at once', async () => {
    const { status, json } = await call('/booking/v1/create/manage-payments', {
      reference: ' R',
      arrival: '31-02-2027',
      departure: '2027-02-14',
      status: 'maybe',
      email: 'nobody',
      totalCost: -1,
    });
    expect(status).toBe(422);
    expect(json.code).toBe('validation_failed');
    const faults = Object.fromEntries(
      json.errors.map((fault: { field: string; code: string }) => [fault.field, fault.code]),
    );
    expect(faults).toEqual({
      reference: 'invalid_format',
      arrival: 'invalid_date',
      departure: 'invalid_date',
      status: 'invalid_value',
      email: 'invalid_format',
      lastName: 'required',
      totalCost: 'amount_out_of_range',
      firstNightCost: 'required',
    });
  });

  const backwards = { ...bookingOf('R-1'), arrival: '14-02-2027', departure: '13-02-2027' };
  const put = { property: 'demo', name: 'Demo', site: 'demo.localhost', currency: 'AUD' };
  const date = { anchor: 'date', date: '2027-02-30' };
  const recovery = { askDaysBefore: 1, deadlineHours: 1, shortDeadlineHours: 2, maxAsks: 1 };

  it.each<[string, Record<string, unknown>, string[]]>([
    [SAVE, { ...backwards, lastName: LONG }, ['lastName too_big', LATE]],
    [SAVE, { ...backwards, email: `${LONG}@hotel.com` }, [LATE, 'email too_big']],
    [SAVE, { ...backwards, notes: 'A\tB' }, [LATE, 'notes invalid_format']],
    [SAVE, { ...backwards, guest: { company: LONG } }, [LATE, 'guest.company too_big']],
    [
      SAVE,
      { ...backwards, cancellationPolicy: { rules: [{ keep: {} }], text: 'x'.repeat(5_001) } },
      [LATE, 'cancellationPolicy.rules.0.keep invalid_value', 'cancellationPolicy.text too_big'],
    ],
    [
      '/payment/v1/create',
      { reference: 'R-1', amount: 1, preAuth: true, description: LONG },
      ['description too_big', 'expiryTime required'],
    ],
    [
      '/payment/v1/create',
      { reference: 'R-1', amount: 1, preAuth: true, token: 'a\nb' },
      ['expiryTime required', 'token invalid_format'],
    ],
    [
      '/application/v1/create',
      { email: 'a@hotel.com', arrival: '2027-02-14', departure: '2027-02-13', city: LONG },
      ['city too_big', LATE],
    ],
    [
      '/payment-plan/v1/put',
      {
        reference: 'R-1',
        terms: [
          { amount: 1, rest: true, label: LONG, due: date },
          { percent: 5, due: { anchor: 'date' } },
        ],
        repeat: { every: 'week', amount: 1 },
      },
      [
        'terms invalid_value',
        'terms.0 invalid_value',
        'terms.0.due.date invalid_date',
        'terms.0.label too_big',
        'terms.1.due.date required',
      ],
    ],
    [
      '/webhook/v1/put',
      { url: `http://${'x'.repeat(2_000)}`, types: [LONG] },
      ['types.0 too_big', 'url too_big'],
    ],
    [
      '/booking/v1/list',
      { lastName: LONG, arrivalFrom: '2027-02-14', arrivalTo: '2027-02-13', limit: 500 },
      ['arrivalTo dates_out_of_order', 'lastName too_big', 'limit too_big'],
    ],
  ])(
    'name a text that is too long or unclean beside what several members say: %s %o',
    async (path, body, faults) => {
      const { status, json } = await call(path, body);
      const named = json.errors.map(({ code, field }) => `${field} ${code}`);
      expect([status, named.toSorted()]).toEqual([422, faults.toSorted()]);
    },
  );

  it.each<[string, Record<string, unknown>, string[]]>([
    [
      '/admin/v1/property/put',
      { ...put, timeZone: 'Nowhere', cardRecovery: recovery },
      [
        'cardRecovery.shortDeadlineHours invalid_value',
        'cardRecovery.then required',
        'timeZone invalid',
      ],
    ],
    [
      '/admin/v1/fee-rules/put',
      {
        property: 'demo',
        rules: [
          {
            basisPoints: 1,
            method: 'x',
            from: '2027-01-02T00:00:00Z',
            until: '2027-01-01T00:00:00Z',
          },
        ],
      },
      ['rules.0.method invalid_value', 'rules.0.until dates_out_of_order'],
    ],
    [
      '/admin/v1/property/put',
      {
        ...put,
        timeZone: 'Australia/Perth',
        branding: { logoUrl: `http://a@hotel.com/${'x'.repeat(2_001)}` },
      },
      ['branding.logoUrl too_big'],
    ],
    [
      '/admin/v1/privacy/erase',
      { property: 'demo', dryRun: 'no' },
      ['dryRun invalid_type', 'reference required'],
    ],
  ])('name what several members say beside another fault: %s %o', async (path, body, faults) => {
    const { status, json } = await callAsAdmin(path, body);
    const named = json.errors.map(({ code, field }) => `${field} ${code}`);
    expect([status, named.toSorted()]).toEqual([422, faults.toSorted()]);
  });

  it.each([
    ['broken JSON', '{"reference":', 'application/json', 400, 'malformed_json'],
    ['an empty body', '', 'application/json', 400, 'malformed_json'],
    ['a list', '[1]', 'application/json', 400, 'invalid_request'],
    ['a text', '"R-1"', 'application/json', 400, 'invalid_request'],
    ['null', 'null', 'application/json', 400, 'invalid_request'],
    [
      'bytes that are no UTF-8',
      new Uint8Array([123, 34, 255, 254, 34, 58, 49, 125]),
      'application/json',
      400,
      'malformed_json',
    ],
    ['a form', 'reference=R', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    [
      'a form of parts',
      '{"reference":"R"}',
      'Multipart/Form-Data; boundary=x',
      415,
      'unsupported_media_type',
    ],
    ['plain text that is no JSON', 'reference=R', 'text/plain', 400, 'malformed_json'],
  ])('answer %s', async (_name, body, contentType, status, code) => {
    const answer = await post(body, contentType);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  it.each([
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/vnd.hotel+json',
    'text/plain',
    'application/xml',
    'what is this',
    null,
  ])('are of the booking, not of the type, for JSON that calls itself %s', async (contentType) => {
    const body = new TextEncoder().encode('{"reference":"NOWHERE"}');
    expect((await post(body, contentType)).status).toBe(404);
  });

  it('refuse a body over 64 KiB, announced or streamed', async () => {
    const large = JSON.stringify({ reference: 'R', filler: 'x'.repeat(65_536) });
    expect((await post(large, 'application/json')).json.code).toBe('body_too_large');
    const streamed = new Response(large).body;
    expect((await post(streamed, 'application/json')).json.code).toBe('body_too_large');
    const fits = JSON.stringify({ reference: 'NOWHERE', filler: 'x'.repeat(65_000) });
    expect((await post(fits, 'application/json')).status).toBe(404);
  });
});

describe('addresses', () => {
  it('that do not exist are 404 before any token is asked for', async () => {
    const { status, json } = await parsed(await http('/payment/v1/nothing', { method: 'POST' }));
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it.each([
    '/Booking/v1/Create/ManagePayments',
    '/booking/v1/CREATE/manage-payments',
    '/Payment/v1/Create',
    '/Payment/v1/Schedule',
  ])('are the operations of the same name, however they are written: %s', async (path) => {
    expect((await http(path, { method: 'POST' })).status).toBe(401);
    const wrongMethod = await parsed(await http(path));
    expect([wrongMethod.status, wrongMethod.headers.get('Allow')]).toEqual([405, 'POST']);
  });

  it('of an older notation do the same, and a problem repeats the address as it was sent', async () => {
    const { status, json } = await call('/Booking/v1/Create/ManagePayments', bookingOf('OLDER'));
    expect([status, json.success]).toEqual([200, true]);
    const known = await call('/Booking/V1/Get-Details', { reference: 'OLDER' });
    expect([known.status, known.json.booking.status]).toEqual([200, 'booked']);
    const charged = await call('/Payment/v1/Create', { reference: 'OLDER', amount: 1 });
    expect(charged.json).toMatchObject({ code: 'no_card', instance: '/Payment/v1/Create' });
  });

  it('are found in any case for documents too', async () => {
    expect((await http('/OpenAPI.json')).status).toBe(200);
    expect((await http('/Health')).status).toBe(200);
  });

  it.each([
    ['GET', '/payment/v1/create', 'POST'],
    ['DELETE', '/booking/v1/get-details', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['PUT', '/openapi.json', 'GET, HEAD'],
  ])(
    'are 405 for %s %s, with Allow, before any token is asked for',
    async (method, path, allow) => {
      const { status, headers, json } = await parsed(await http(path, { method }));
      expect([status, json.code]).toEqual([405, 'method_not_allowed']);
      expect(headers.get('Allow')).toBe(allow);
    },
  );
});

describe('every answer', () => {
  it('has a request id of its own, the rate policy, and what it cost', async () => {
    const first = await call(DETAILS, { reference: 'NOWHERE' });
    const second = await call(DETAILS, { reference: 'NOWHERE' });
    expect(first.headers.get('X-Request-Id')).not.toBe(second.headers.get('X-Request-Id'));
    expect(second.headers.get('RateLimit-Policy')).toBe('"client";q=100000;w=10');
    // What is not there is looked for among the archived bookings, too.
    expect(second.headers.get('Server-Timing')).toMatch(/d1;desc="2";dur=\d+.*total;dur=\d+/);
    expect(second.headers.get('Cache-Control')).toBe('no-store');
    expect(second.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});

describe('trouble inside', () => {
  it('tells the caller its request id and nothing else', async () => {
    const bug = new Error('secret detail');
    vi.spyOn(WakeUps.prototype, 'repair').mockRejectedValue(bug);
    const { status, headers, json } = await call(
      '/booking/v1/create/manage-payments',
      bookingOf('T'),
    );
    expect(status).toBe(500);
    expect(json).toMatchObject({ code: 'internal_error', requestId: headers.get('X-Request-Id') });
    expect(JSON.stringify(json)).not.toMatch(/secret|Error|\.ts/);
  });

  it('is 503 with Retry-After when the database does not answer', async () => {
    vi.spyOn(Trace.prototype, 'span').mockRejectedValue(new Error('D1 is away'));
    const { status, headers, json } = await call(DETAILS, { reference: 'R' });
    expect([status, json.code]).toEqual([503, 'busy']);
    expect(headers.get('Retry-After')).toBe('1');
  });
});

describe('GET', () => {
  it('/health says that D1 answers', async () => {
    const { status, json } = await parsed(await http('/health'));
    expect([status, json.success]).toEqual([200, true]);
  });

  it('/openapi.json is an OpenAPI 3.1 document with schemas for every answer', async () => {
    const { json } = await parsed(await http('/openapi.json'));
    expect(json.openapi).toBe('3.1.0');
    for (const methods of Object.values<Record<string, { responses: Record<string, unknown> }>>(
      json.paths,
    )) {
      for (const { responses } of Object.values(methods)) {
        const { content } = responses['200'] as { content: Record<string, unknown> };
        const [type = ''] = Object.keys(content);
        expect(['application/json', 'application/x-ndjson', 'application/pdf']).toContain(type);
        expect(content[type]).toHaveProperty('schema');
      }
    }
    const create = json.paths['/payment/v1/create']?.['post'];
    expect(create?.requestBody.required).toBe(true);
    expect(create?.responses).toHaveProperty('402');
    expect(create?.responses).toHaveProperty('504');
  });

  it('/openapi.json says of every operation what it answers when the caller is not at fault', async () => {
    const { json } = await parsed(await http('/openapi.json'));
    const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        operation: `${method} ${path}`,
        responses: responses as Record<string, { content?: Record<string, { schema: object }> }>,
      })),
    );
    expect(operations.length).toBeGreaterThan(40);
    for (const { operation, responses } of operations) {
      for (const status of ['500', '503']) {
        const problem = responses[status]?.content?.['application/problem+json'];
        expect(problem?.schema, `${operation} ${status}`).toBeDefined();
      }
    }
    // What only reads, and is behind no access token, never leaves its outcome unknown.
    const certain = ['get /export', 'get /export/schema', 'get /health', 'post /auth/v1/token'];
    const unknown = operations.filter(({ responses }) => responses['504'] === undefined);
    expect(unknown.map(({ operation }) => operation).toSorted()).toEqual(certain);
    const token = json.paths['/auth/v1/token']?.['post']?.responses ?? {};
    expect(Object.keys(token)).toEqual(['200', '400', '401', '413', '429', '500', '503']);
  });

  it('/openapi.json holds patterns that a JSON Schema validator can use', async () => {
    const text = await (await http('/openapi.json')).text();
    const patterns = [...text.matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
      (match) => JSON.parse(match[1] ?? '""') as string,
    );
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) expect(pattern).toMatch(/^\^.*\$$/);
    const ofReference = patterns.filter((pattern) => pattern.includes('62'));
    expect(ofReference.some((pattern) => new RegExp(pattern, 'u').test('RES-1001'))).toBe(true);
  });

  it('/ names what is here, and all of it is there', async () => {
    const page = await http('/');
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const named = [...(await page.text()).matchAll(/<a href="([^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    expect(named).toEqual([
      '/docs',
      '/openapi.json',
      '/console',
      '/health',
      '/ops',
      '/dev/mailbox',
    ]);
    for (const path of named) expect((await http(path)).status, path).toBe(200);
  });

  it.each(['/nothing', '/docs/nothing', '/guest', '/payment/v1/nothing'])(
    '%s tells a browser on a page that there is none, and a program as ever',
    async (path) => {
      const shown = await http(path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
      expect([shown.status, shown.headers.get('Content-Type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await shown.text()).toMatch(/<html lang="en">.*<title>Page not found.*href="\/"/s);
      const told = await http(path, { headers: { Accept: 'application/json' } });
      expect([told.status, told.headers.get('Content-Type')]).toEqual([
        404,
        'application/problem+json',
      ]);
      const posted = await http(path, { method: 'POST', headers: { Accept: 'text/html' } });
      expect(posted.headers.get('Content-Type')).toBe('application/problem+json');
    },
  );

  it('/ of a deployment names no page of a local start', async () => {
    const env = deployedEnv();
    const page = await createApp().fetch(new Request('https://pay.hotel.com/'), env);
    const html = await page.text();
    expect([
      page.status,
      html.includes('/docs'),
      html.includes('/dev/'),
      html.includes('href="/ops"'),
    ]).toEqual([200, true, false, false]);
  });

  it('/docs/ has a problem for what is not there', async () => {
    const { status, json } = await parsed(await http('/docs/nothing.js'));
    expect([status, json.code]).toEqual([404, 'not_found']);
  });
});
