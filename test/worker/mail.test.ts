import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import type { Mail } from '../../src/platform/mail/mail.ts';
import { sendMail } from '../../src/platform/mail/send.ts';
import { Trace } from '../../src/platform/trace.ts';
import { freshDatabase, testEnv } from '../support/api.ts';
import { mailbox } from '../support/mailbox.ts';

beforeAll(freshDatabase);

const mail: Mail = {
  to: 'guest@hotel.com',
  fromName: 'Hôtel „Zum Löwen“',
  subject: 'Your card for Hôtel',
  text: 'Hello',
  html: '<p>Hello</p>',
};

/** Sends as a deployment does. */
function send(
  env: { readonly EMAIL?: unknown; readonly MAIL_FROM?: string },
  changes: Partial<Mail> = {},
) {
  const trace = new Trace();
  return sendMail(
    {
      env: env as Pick<typeof testEnv, 'EMAIL' | 'MAIL_FROM'>,
      config: { local: false },
      database: new Database(testEnv.DB, trace),
      trace,
      about: { requestId: 'r-1', property: 'demo', booking: 'MAIL' },
    },
    { ...mail, ...changes },
  );
}

describe('a message of a deployment', () => {
  it('is taken by the e-mail binding in its structured form, and not kept here', async () => {
    const { EMAIL } = testEnv;
    expect(EMAIL).toBeDefined();
    expect(await send({ EMAIL, MAIL_FROM: 'stay@hotel.com' })).toEqual({ ok: true, value: null });
    expect(await mailbox()).toEqual([]);
  });

  it('names the property as its sender, and has both forms', async () => {
    const sent: unknown[] = [];
    const EMAIL = {
      send: async (message: unknown) => {
        sent.push(message);
      },
    };
    await send({ EMAIL, MAIL_FROM: 'stay@hotel.com' });
    const { fromName: name, ...rest } = mail;
    expect(sent).toEqual([{ from: { email: 'stay@hotel.com', name }, ...rest }]);
  });

  it('has no line break in its headers, whatever the property is called', async () => {
    const taken = vi.fn(
      async (_message: { readonly subject: string; readonly from: object }) => {},
    );
    const name = 'House\r\nBcc: other@hotel.com\u0000';
    const changes = { fromName: name, subject: `Your card for ${name}` };
    await send({ EMAIL: { send: taken }, MAIL_FROM: 'stay@hotel.com' }, changes);
    expect(taken.mock.calls[0]?.[0]).toMatchObject({
      subject: 'Your card for House Bcc: other@hotel.com ',
      from: { name: 'House Bcc: other@hotel.com ' },
    });
  });

  it('that is not taken is told as such', async () => {
    const EMAIL = {
      send: () => Promise.reject(new Error('refused')),
    };
    const refused = await send({ EMAIL, MAIL_FROM: 'stay@hotel.com' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'gateway_error' } });
  });

  it.each([
    [
      Object.assign(new Error('guest@hotel.com is not there'), { code: 'E_RECIPIENT' }),
      'E_RECIPIENT',
    ],
    [Object.assign(new Error('no'), { code: 'guest@hotel.com' }), 'Error'],
    [new TypeError('guest@hotel.com is not there'), 'TypeError'],
    ['guest@hotel.com', 'unknown'],
  ])('that is not taken is logged by its ids, and nothing of the guest: %s', async (error, why) => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue();
    const EMAIL = { send: vi.fn<() => Promise<void>>().mockRejectedValue(error) };
    await send({ EMAIL, MAIL_FROM: 'stay@hotel.com' });
    const about = { requestId: 'r-1', property: 'demo', booking: 'MAIL' };
    expect(logged.mock.calls).toEqual([[JSON.stringify({ event: 'mail_failed', ...about, why })]]);
    logged.mockRestore();
  });

  it.each([
    ['a binding', { MAIL_FROM: 'stay@hotel.com' }],
    ['an address', { EMAIL: {} }],
  ])('without %s cannot be sent', async (_what, env) => {
    expect(await send(env)).toMatchObject({ ok: false, error: { code: 'not_configured' } });
  });
});
