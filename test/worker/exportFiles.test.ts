import { beforeAll, describe, expect, it } from 'vitest';
import type { RunBody } from '../support/answers.ts';
import { atTime, call, callAsAdmin, http, makeProperty, parsed, testEnv } from '../support/api.ts';
import {
  applicationConsoleLine,
  ledgerLine,
  propertySystemLine,
} from '../support/exportRecords.ts';
import { type ExportUser, endOfRun, fetchExport, linesOf, makeExport } from '../support/exports.ts';

const CONSOLE = 'applicationConsole=1';

/** The flags that choose a file. */
const FLAGS = ['propertySystem', 'applicationConsole', 'ledger'];
const SYSTEM = 'propertySystem=1';
const NASTY = 'A/B "q" \\ 🎓 \u2028\u2029 \u202e\u200b Å';

let run: RunBody;
let bytes: Uint8Array;
let etag: string;

beforeAll(async () => {
  for (const [path, code] of [
    [CONSOLE, 'export_not_found'],
    [SYSTEM, 'export_not_found'],
  ] as const) {
    const none = await parsed(await fetchExport(path));
    expect([none.status, none.json.code]).toEqual([404, code]);
  }
  for (let number = 1; number <= 3; number += 1) {
    await call('/application/v1/create', {
      email: `guest${number}@hotel.com`,
      arrival: '2027-02-14',
      departure: '2027-02-24',
      city: NASTY,
      total: 100.1 * number,
      userAgent: number === 2 ? null : 'curl/8.5.0',
    });
  }
  await makeExport('propertySystem');
  run = await makeExport('applicationConsole');
  const whole = await fetchExport(CONSOLE);
  etag = whole.headers.get('ETag') ?? '';
  bytes = new Uint8Array(await whole.arrayBuffer());
});

async function sha256(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', content)).toHex();
}

describe('a file', () => {
  it('is told of with its type, size, time, digest and strong ETag', async () => {
    const { status, headers } = await fetchExport(CONSOLE);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/x-ndjson');
    expect(headers.get('Content-Length')).toBe(String(bytes.length));
    expect(headers.get('Accept-Ranges')).toBe('bytes');
    expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('Last-Modified')).toBe(new Date(run.finishedAt ?? '').toUTCString());
    const digest = /^sha-256=:(.+):$/.exec(headers.get('Repr-Digest') ?? '')?.[1] ?? '';
    expect(Uint8Array.fromBase64(digest).toHex()).toBe(await sha256(bytes.slice()));
    expect(headers.get('Cache-Control')).toContain('no-transform');
    expect(headers.get('Content-Disposition')).toContain(`application-console-${run.date}.ndjson`);
  });

  it('is what the run says that it is', async () => {
    expect(run).toMatchObject({ status: 'Complete', rows: 3, expectedRows: 3, failure: null });
    expect([run.bytes, run.sha256]).toEqual([bytes.length, await sha256(bytes.slice())]);
  });

  it('holds lines of the interface’s shape, with names as they were given', async () => {
    const lines = linesOf(new TextDecoder().decode(bytes));
    const read = lines.map((line) => applicationConsoleLine.parse(line));
    expect(read.map(({ city }) => city)).toEqual([NASTY, NASTY, NASTY]);
    expect(read.map(({ total }) => total)).toEqual([100.1, 200.2, 300.3]);
    expect(read.map(({ isMobile }) => isMobile)).toEqual([false, null, false]);
    const system = linesOf(await (await fetchExport(SYSTEM)).text());
    for (const line of system) propertySystemLine.parse(line);
    expect(system).toHaveLength(3);
  });

  it('has the same values as the application’s own operation', async () => {
    for (const line of linesOf(new TextDecoder().decode(bytes))) {
      const { applicationNumber } = applicationConsoleLine.parse(line);
      const { json } = await call('/application/v1/get-details', { applicationNumber });
      const { reference: _r, offeredTime: _o, dateOfBirth: _d, ...shown } = json.application;
      expect(line).toEqual(shown);
    }
  });
});

describe('a conditional request', () => {
  it.each([
    ['its ETag', () => etag],
    ['a list with its ETag', () => `"other", ${etag}`],
    ['its ETag as a weak one', () => `W/${etag}`],
    ['*', () => '*'],
  ])('with %s is 304 without a body', async (_name, tag) => {
    const answer = await fetchExport(CONSOLE, { headers: { 'If-None-Match': tag() } });
    expect([answer.status, await answer.text()]).toEqual([304, '']);
    expect(answer.headers.get('ETag')).toBe(etag);
  });

  it('with another ETag gets the file', async () => {
    const answer = await fetchExport(CONSOLE, { headers: { 'If-None-Match': '"other"' } });
    expect([answer.status, (await answer.text()).length > 0]).toEqual([200, true]);
  });

  it('with a time is 304 unless the file is newer', async () => {
    const since = (header: string) =>
      fetchExport(CONSOLE, { headers: { 'If-Modified-Since': header } });
    const { headers } = await fetchExport(CONSOLE, { method: 'HEAD' });
    expect((await since(headers.get('Last-Modified') ?? '')).status).toBe(304);
    expect((await since('Sat, 01 Jan 2000 00:00:00 GMT')).status).toBe(200);
    expect((await since('no time')).status).toBe(200);
  });

  it('has another ETag for the other file', async () => {
    const { headers } = await fetchExport(SYSTEM, { method: 'HEAD' });
    expect(headers.get('ETag')).not.toBe(etag);
  });
});

describe('a range', () => {
  const ranged = (Range: string, headers: Record<string, string> = {}) =>
    fetchExport(CONSOLE, { headers: { Range, ...headers } });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-99', 10, 100],
    ['bytes=100-', 100, undefined],
    ['bytes=-20', -20, undefined],
    ['bytes=0-99999999', 0, undefined],
  ])('%s is those bytes', async (header, start, end) => {
    const answer = await ranged(header);
    const right = bytes.slice(start, end);
    expect(answer.status).toBe(206);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(right);
    expect(answer.headers.get('Content-Length')).toBe(String(right.length));
    const first = start < 0 ? bytes.length + start : start;
    expect(answer.headers.get('Content-Range')).toBe(
      `bytes ${first}-${first + right.length - 1}/${bytes.length}`,
    );
    expect(answer.headers.get('ETag')).toBe(etag);
  });

  it('after the other makes up the whole file', async () => {
    const middle = Math.floor(bytes.length / 2);
    const [first, second] = await Promise.all([
      ranged(`bytes=0-${middle - 1}`),
      ranged(`bytes=${middle}-`),
    ]);
    const both = `${await first.text()}${await second.text()}`;
    expect(linesOf(both)).toHaveLength(3);
  });

  it('beyond the end is 416, and says how long the file is', async () => {
    const answer = await ranged(`bytes=${bytes.length}-`);
    expect(answer.headers.get('Content-Range')).toBe(`bytes */${bytes.length}`);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await parsed(answer)).toMatchObject({
      status: 416,
      json: { code: 'range_not_satisfiable', success: false },
    });
  });

  it('counts only as long as If-Range names the file', async () => {
    expect((await ranged('bytes=0-9', { 'If-Range': etag })).status).toBe(206);
    expect((await ranged('bytes=0-9', { 'If-Range': '"other"' })).status).toBe(200);
  });

  it('of what did not change is 304 first', async () => {
    expect((await ranged('bytes=0-9', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('counts for nothing in If-Range by a time', async () => {
    const { headers } = await fetchExport(CONSOLE, { method: 'HEAD' });
    const time = headers.get('Last-Modified') ?? '';
    expect((await ranged('bytes=0-9', { 'If-Range': time })).status).toBe(200);
  });

  it('means nothing to HEAD', async () => {
    const head = await fetchExport(CONSOLE, { method: 'HEAD', headers: { Range: 'bytes=0-9' } });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(bytes.length)]);
  });

  it('of several pieces gets the whole file', async () => {
    expect((await ranged('bytes=0-1,5-6')).status).toBe(200);
  });
});

describe('a compressed file', () => {
  const zipped = (init: RequestInit = {}, accepted = 'gzip, deflate, br') =>
    fetchExport(CONSOLE, {
      ...init,
      headers: { 'Accept-Encoding': accepted, ...(init.headers as Record<string, string>) },
      encodeResponseBody: 'manual',
    });

  async function unzipped(answer: Response): Promise<Uint8Array> {
    const { body } = answer;
    if (body === null) throw new Error('nothing came');
    const plain = body.pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  }

  it('is the same file, and smaller', async () => {
    const answer = await zipped();
    expect([answer.status, answer.headers.get('Content-Encoding')]).toEqual([200, 'gzip']);
    const sent = new Uint8Array(await answer.arrayBuffer());
    expect(Array.from(sent.slice(0, 2))).toEqual([0x1f, 0x8b]);
    expect(sent.length).toBeLessThan(bytes.length);
    expect(await unzipped(new Response(sent))).toEqual(bytes);
  });

  it('has a strong tag of its own, varies, and keeps the digest of the stored file', async () => {
    const plain = await fetchExport(CONSOLE, { method: 'HEAD' });
    const { headers } = await zipped({ method: 'HEAD' });
    expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('ETag')).not.toBe(etag);
    expect([headers.get('Vary'), plain.headers.get('Vary')]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect(headers.get('Repr-Digest')).toBe(plain.headers.get('Repr-Digest'));
    expect([headers.get('Content-Length'), headers.get('Accept-Ranges')]).toEqual([null, null]);
  });

  it('has the same headers by HEAD as by GET, and no body', async () => {
    const [head, get] = [await zipped({ method: 'HEAD' }), await zipped()];
    expect([head.status, await head.text()]).toEqual([200, '']);
    const shown = (answer: Response) =>
      ['Content-Encoding', 'Content-Type', 'ETag', 'Last-Modified', 'Repr-Digest', 'Vary'].map(
        (name) => answer.headers.get(name),
      );
    expect(shown(head)).toEqual(shown(get));
    await get.body?.cancel();
  });

  it('is 304 by its own tag, and by that of the file as it is', async () => {
    const own = (await zipped({ method: 'HEAD' })).headers.get('ETag') ?? '';
    const again = await zipped({ headers: { 'If-None-Match': own } });
    expect([again.status, again.headers.get('ETag'), again.headers.get('Vary')]).toEqual([
      304,
      own,
      'Accept-Encoding',
    ]);
    const held = await zipped({ headers: { 'If-None-Match': etag } });
    expect([held.status, held.headers.get('ETag')]).toEqual([304, etag]);
    const plain = await fetchExport(CONSOLE, { headers: { 'If-None-Match': own } });
    expect([plain.status, plain.headers.get('ETag')]).toEqual([200, etag]);
  });

  it('has no ranges: those are of the file as it is', async () => {
    const part = await zipped({ headers: { Range: 'bytes=10-99' } });
    expect([part.status, part.headers.get('Content-Encoding'), part.headers.get('ETag')]).toEqual([
      206,
      null,
      etag,
    ]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 100));
    const beyond = await zipped({ headers: { Range: `bytes=${bytes.length}-` } });
    expect(beyond.status).toBe(416);
    const own = (await zipped({ method: 'HEAD' })).headers.get('ETag') ?? '';
    const resumed = await zipped({ headers: { Range: 'bytes=10-', 'If-Range': own } });
    expect([resumed.status, resumed.headers.get('Content-Encoding')]).toEqual([200, 'gzip']);
    await Promise.all([beyond.body?.cancel(), resumed.body?.cancel()]);
  });

  it.each(['identity', 'gzip;q=0', 'br', 'gzip;q=0.1, identity'])(
    'does not go to who accepts %s',
    async (accepted) => {
      const answer = await zipped({}, accepted);
      expect([answer.headers.get('Content-Encoding'), answer.headers.get('ETag')]).toEqual([
        null,
        etag,
      ]);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    },
  );

  it('goes by what the client itself accepts, not by what Cloudflare makes of it', async () => {
    const cf = { clientAcceptEncoding: 'identity' };
    const answer = await zipped({ cf }, 'gzip, br');
    expect(answer.headers.get('Content-Encoding')).toBeNull();
    await answer.body?.cancel();
  });
});

describe('HEAD', () => {
  it('has the headers of GET and no body', async () => {
    const [head, get] = [
      await fetchExport(CONSOLE, { method: 'HEAD' }),
      await fetchExport(CONSOLE),
    ];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['Content-Type', 'ETag', 'Last-Modified', 'Repr-Digest', 'Accept-Ranges']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
    expect(head.headers.get('Content-Length')).toBe(String(bytes.length));
    await get.body?.cancel();
  });
});

describe('a query', () => {
  it.each([
    ['', FLAGS],
    ['propertySystem=0', FLAGS],
    ['propertySystem=true', FLAGS],
    ['propertySystem=1&applicationConsole=1', FLAGS],
    ['propertySystem=1&applicationConsole=1&ledger=1', FLAGS],
    ['ledger=0', FLAGS],
    [`${CONSOLE}&date=yesterday`, ['date']],
    [`${CONSOLE}&date=2026-02-30`, ['date']],
    ['date=2026-02-30', [...FLAGS, 'date']],
  ])('%s is 400 and names what is wrong', async (query, fields) => {
    const answer = await parsed(await fetchExport(query));
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
    expect(answer.json.errors.map(({ field }) => field)).toEqual(fields);
  });

  it('of a day without a file is 404', async () => {
    const answer = await parsed(await fetchExport(`${CONSOLE}&date=2020-01-01`));
    expect([answer.status, answer.json.code]).toEqual([404, 'export_not_found']);
  });

  it('of the day gets the day’s file', async () => {
    const answer = await fetchExport(`${CONSOLE}&date=${run.date}`);
    expect([answer.status, answer.headers.get('ETag')]).toEqual([200, etag]);
    await answer.body?.cancel();
  });

  it('by another method is 405', async () => {
    const answer = await fetchExport(CONSOLE, { method: 'POST' });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('who fetches', () => {
  it.each([
    ['nobody', {}],
    ['a wrong password', { Authorization: `Basic ${btoa('analyst:wrong')}` }],
    ['no password', { Authorization: `Basic ${btoa('analyst:')}` }],
    ['an unknown user', { Authorization: `Basic ${btoa('nobody:analyst-secret')}` }],
    ['what is no Basic', { Authorization: 'Basic ???' }],
    ['an API client', { Authorization: `Basic ${btoa('demo-engine:demo-secret')}` }],
    ['an administrator’s client', { Authorization: `Basic ${btoa('admin:admin-secret')}` }],
    ['a token', { Authorization: 'Bearer abc' }],
  ])('as %s is 401, whatever is asked for', async (_name, headers) => {
    for (const query of [CONSOLE, `${CONSOLE}&date=2020-01-01`, '']) {
      const answer = await http(`/export?${query}`, { headers });
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Basic realm="/);
      expect(await parsed(answer)).toMatchObject({
        status: 401,
        json: { code: 'unauthorized', success: false },
      });
    }
  });

  it('gets the files of the own portfolio, and nothing of another', async () => {
    const token = await makeProperty('north', { portfolio: 'northern' });
    const made = await callAsAdmin('/admin/v1/export-user/create', {
      username: 'north-analyst',
      portfolio: 'northern',
    });
    const user = made.json as ExportUser;
    expect((await fetchExport(CONSOLE, {}, user)).status).toBe(404);
    await call(
      '/application/v1/create',
      { email: 'n@hotel.com', arrival: '2027-02-14', departure: '2027-02-24' },
      { token },
    );
    const northern = await makeExport('applicationConsole', 'northern');
    expect(northern.rows).toBe(1);
    const lines = linesOf(await (await fetchExport(CONSOLE, {}, user)).text());
    expect(lines).toMatchObject([{ property: 'north' }]);
    const own = linesOf(await (await fetchExport(CONSOLE)).text());
    expect(own.map((line) => applicationConsoleLine.parse(line).property)).toEqual([
      'demo',
      'demo',
      'demo',
    ]);
  });

  it('is made by an administrator, with a password that is shown once and kept as a digest', async () => {
    const made = await callAsAdmin('/admin/v1/export-user/create', { username: 'second' });
    expect(made.status).toBe(200);
    expect(made.json.password.length).toBeGreaterThanOrEqual(43);
    expect((await fetchExport(CONSOLE, {}, made.json)).status).toBe(200);
    const again = await callAsAdmin('/admin/v1/export-user/create', { username: 'second' });
    expect([again.status, again.json.code]).toEqual([409, 'invalid_state']);
    const kept = await testEnv.DB.prepare('SELECT * FROM export_users').all();
    expect(JSON.stringify(kept.results)).not.toContain(made.json.password);
  });

  it.each([
    [{ username: 'a:b' }, ['username']],
    [{ username: '' }, ['username']],
    [{ username: 'ok', portfolio: 'no portfolio' }, ['portfolio']],
    [{}, ['username']],
  ])('cannot be made as %o', async (body, fields) => {
    const made = await callAsAdmin('/admin/v1/export-user/create', body);
    expect([made.status, made.json.errors.map(({ field }) => field)]).toEqual([422, fields]);
  });
});

describe('a schema', () => {
  it.each([
    [SYSTEM, propertySystemLine],
    [CONSOLE, applicationConsoleLine],
    ['ledger=1', ledgerLine],
  ])('of %s is public, and has exactly the fields of its lines', async (query, line) => {
    const answer = await http(`/export/schema?${query}`);
    expect(answer.status).toBe(200);
    const fields: { name: string }[] = await answer.json();
    expect(fields.map(({ name }) => name).toSorted()).toEqual(Object.keys(line.shape).toSorted());
  });

  it('has BigQuery’s own types', async () => {
    const fields: { name: string; type: string; mode: string }[] = await (
      await http(`/export/schema?${CONSOLE}`)
    ).json();
    const typeOf = (name: string) => fields.find((field) => field.name === name);
    expect(typeOf('weeksDuration')).toEqual({
      name: 'weeksDuration',
      type: 'INTEGER',
      mode: 'NULLABLE',
      description: 'weeks, rounded up',
    });
    expect(typeOf('total')).toMatchObject({ type: 'FLOAT' });
    expect(typeOf('arrival')).toMatchObject({ type: 'DATE' });
    expect(typeOf('heldTime')).toMatchObject({ type: 'TIMESTAMP' });
    expect(typeOf('under18')).toMatchObject({ type: 'BOOLEAN' });
    expect(typeOf('tenantApplications')).toMatchObject({ type: 'RECORD', mode: 'REPEATED' });
    expect(typeOf('agent')).toMatchObject({ type: 'RECORD', mode: 'NULLABLE' });
  });

  it.each(['propertySystem=1', CONSOLE, 'ledger=1'])(
    'of %s says what each column means',
    async (query) => {
      interface Field {
        readonly name: string;
        readonly description?: string;
        readonly fields?: readonly Field[];
      }
      const within = (fields: readonly Field[]): Field[] =>
        fields.flatMap((field) => [field, ...within(field.fields ?? [])]);
      const all = within(await (await http(`/export/schema?${query}`)).json());
      expect(all.filter(({ description }) => !description)).toEqual([]);
      expect(all.length).toBeGreaterThan(14);
    },
  );

  it('without a flag is 400', async () => {
    expect((await http('/export/schema')).status).toBe(400);
  });
});

describe('a GET during publication', () => {
  it('gets the old file or the new one, never a part', async () => {
    const before = await (await fetchExport(SYSTEM)).text();
    await call('/application/v1/create', {
      email: 'late@hotel.com',
      arrival: '2027-02-14',
      departure: '2027-02-24',
    });
    const begun = await callAsAdmin('/admin/v1/export/run', { variant: 'propertySystem' });
    let over = false;
    const running = endOfRun(begun.json.runId).finally(() => {
      over = true;
    });
    const seen = new Set<string>();
    for (let fetches = 0; !over && fetches < 500; fetches += 1) {
      seen.add(await (await fetchExport(SYSTEM)).text());
    }
    await running;
    const after = await (await fetchExport(SYSTEM)).text();
    expect(linesOf(after)).toHaveLength(linesOf(before).length + 1);
    expect([before, after]).toEqual(expect.arrayContaining([...seen]));
  });
});

describe('an empty file', () => {
  it('is a file: 200 with nothing in it, and any range of it is 416', async () => {
    const made = await callAsAdmin('/admin/v1/export-user/create', {
      username: 'empty',
      portfolio: 'empty',
    });
    const empty = await makeExport('propertySystem', 'empty');
    expect([empty.status, empty.rows, empty.bytes]).toEqual(['Complete', 0, 0]);
    const whole = await fetchExport(SYSTEM, {}, made.json);
    expect([whole.status, await whole.text()]).toEqual([200, '']);
    const range = await fetchExport(SYSTEM, { headers: { Range: 'bytes=0-' } }, made.json);
    expect(range.status).toBe(416);
    const headers = { 'Accept-Encoding': 'gzip' };
    const zipped = await fetchExport(SYSTEM, { headers }, made.json);
    expect([zipped.status, await zipped.text()]).toEqual([200, '']);
  });
});

describe('an earlier day', () => {
  it('is found by its date, and the newest without one', async () => {
    const past = await atTime('2026-03-04T05:06:07Z', () => makeExport('propertySystem'));
    expect(past.date).toBe('2026-03-04');
    const [old, newest] = [
      await fetchExport(`${SYSTEM}&date=2026-03-04`),
      await fetchExport(SYSTEM),
    ];
    expect([old.status, newest.status]).toEqual([200, 200]);
    expect(old.headers.get('Content-Disposition')).toContain('2026-03-04');
    expect(newest.headers.get('Content-Disposition')).toContain(run.date);
    await Promise.all([old.body?.cancel(), newest.body?.cancel()]);
  });
});
