/** Requests whose body breaks off in the middle: the caller's doing, and nothing that the log calls an error. */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  vi,
} from 'vitest';
import worker from '../../src/index.ts';
import { adminToken, engineToken, http, makeBooking, parsed, testEnv } from '../support/api.ts';
import { linkTo } from '../support/guest.ts';
import { selectStripe } from '../support/onStripe.ts';
import { story } from '../support/story.ts';

story();

let errors: MockInstance<typeof console.error>;

beforeAll(async () => {
  await makeBooking('BROKEN');
});

beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Gives the beginning of a body, and then fails as a connection that is closed. */
function brokenOff(beginning: string): ReadableStream<Uint8Array> {
  let begun = false;
  return new ReadableStream({
    pull(controller) {
      if (begun) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(new TextEncoder().encode(beginning));
      begun = true;
    },
  });
}

/** Calls the Worker itself: a binding between Workers would end the body instead of breaking it off. */
async function send(
  path: string,
  beginning: string,
  headers: Record<string, string>,
): Promise<Response> {
  const url = `http://localhost${path}`;
  const request = new Request<unknown, IncomingRequestCfProperties>(url, {
    method: 'POST',
    headers,
    body: brokenOff(beginning),
  });
  const context = createExecutionContext();
  const response = await worker.fetch(request, testEnv, context);
  await waitOnExecutionContext(context);
  return response;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** A length that was announced is read in another way than one that was not. */
const lengths: [string, Record<string, string>][] = [
  ['of a length that was announced', { 'Content-Length': '200' }],
  ['of no announced length', {}],
];

describe.each(lengths)('a body that breaks off, %s', (_length, length) => {
  afterEach(() => {
    expect(errors).not.toHaveBeenCalled();
  });

  it.each([
    ['/booking/v1/get-details', engineToken],
    ['/payment/v1/create', engineToken],
    ['/admin/v1/client/create', adminToken],
  ])('is 400 at %s', async (path, token) => {
    const headers = { ...JSON_TYPE, ...length, ...bearer(await token()) };
    const { status, json } = await parsed(await send(path, '{"reference":"BRO', headers));
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.detail).toBe('The connection ended before the body did.');
  });

  it('is 400 at the token endpoint, as OAuth has it', async () => {
    const headers = { ...FORM_TYPE, ...length };
    const answer = await send('/auth/v1/token', 'grant_type=client_cred', headers);
    const { status, json } = await parsed(answer);
    expect(status).toBe(400);
    const error_description = 'The connection ended before the body did.';
    expect(json).toEqual({ success: false, error: 'invalid_request', error_description });
  });

  it.each(['/pms/v1/message', '/rooms/v1/push'])('is 400 in the envelope at %s', async (path) => {
    const headers = { ...JSON_TYPE, ...length, ...bearer(await engineToken()) };
    const { status, json } = await parsed(await send(path, '{"MessageType":"Pi', headers));
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json).toMatchObject({
      Status: 'Error',
      ErrorMessage: 'The connection ended before the body did.',
    });
  });

  it('is 400 in the envelope without a token', async () => {
    const answer = await send('/pms/v1/message', '{"Authentication":{', {
      ...JSON_TYPE,
      ...length,
    });
    const { status, json } = await parsed(answer);
    expect([status, json.code, json.Status]).toEqual([400, 'invalid_request', 'Error']);
  });

  it("is a page that says so for a guest's form", async () => {
    const link = new URL(await linkTo('BROKEN'));
    const opened = await http(link.pathname + link.search, { redirect: 'manual' });
    const home = opened.headers.get('Location') ?? '';
    const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
    const headers = { ...FORM_TYPE, ...length, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await send(`${home}/card`, 'cardNumber=42', headers);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('We could not read the form');
  });

  it('is a page that says so for the form of an administrator', async () => {
    const headers = { ...FORM_TYPE, ...length, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await send('/ops/sign-in', 'clientId=adm', headers);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('We could not read the form');
  });

  it('is 400 at the webhook', async () => {
    selectStripe();
    errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const headers = { ...JSON_TYPE, ...length, 'Stripe-Signature': 't=1,v1=00' };
    const { status, json } = await parsed(await send('/gateway/v1/stripe', '{"id":"evt_', headers));
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.detail).toBe('The connection ended before the body did.');
  });
});
