import { describe, expect, it, vi } from 'vitest';
import { Database } from '../../src/platform/db/database.ts';
import type { Mail } from '../../src/platform/mail/mail.ts';
import { sendMail } from '../../src/platform/mail/send.ts';
import { Trace } from '../../src/platform/trace.ts';
import { callAsAdmin, testEnv } from '../support/api.ts';
import { mailbox } from '../support/mailbox.ts';

const mail: Mail = {
  id: null,
  to: 'guest@hotel.com',
  fromName: 'Hôtel „Zum Löwen“',
  replyTo: 'desk@hotel.com',
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
      nowMs: 0,
      about: { requestId: 'r-1', property: 'demo', booking: 'MAIL' },
    },
    { ...mail, ...changes },
  );
}

describe('a message of a deployment', () => {
  it('is taken by the e-mail binding in its structured form, and not kept here', async () => {
    const { EMAIL } = testEnv;
    expect(EMAIL).toBeDefined();
    expect(await send({ EMAIL, MAIL_FROM: 'stay@hotel.com' })).toEqual({ kind: 'sent' });
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
    const { id: _id, fromName: name, ...rest } = mail;
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
    expect(refused).toEqual({ kind: 'failed', why: 'Error' });
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

  it('that bounces ends all mail to its address, however that is written, until it is lifted', async () => {
    const refused = Object.assign(new Error('suppressed'), { code: 'E_RECIPIENT_SUPPRESSED' });
    const taken = vi.fn<() => Promise<void>>().mockRejectedValueOnce(refused);
    const env = { EMAIL: { send: taken }, MAIL_FROM: 'stay@hotel.com' };
    const to = 'Gone@hotel.com';
    expect(await send(env, { to })).toEqual({ kind: 'bounced', why: 'E_RECIPIENT_SUPPRESSED' });
    expect(await send(env, { to: 'gone@HOTEL.com' })).toEqual({
      kind: 'bounced',
      why: 'suppressed',
    });
    expect(taken).toHaveBeenCalledOnce();
    expect(await send(env)).toEqual({ kind: 'sent' });
    const { results } = await testEnv.DB.prepare('SELECT * FROM suppressed_addresses').all();
    expect(JSON.stringify(results)).not.toMatch(/gone|hotel/i);

    const lift = async () =>
      (await callAsAdmin('/admin/v1/mail/lift-suppression', { email: 'gone@hotel.com' })).json;
    expect(await lift()).toEqual({ success: true, lifted: true });
    expect(await lift()).toEqual({ success: true, lifted: false });
    expect(await send(env, { to })).toEqual({ kind: 'sent' });
  });

  it.each([
    ['a binding', { MAIL_FROM: 'stay@hotel.com' }],
    ['an address', { EMAIL: {} }],
  ])('without %s cannot be sent', async (_what, env) => {
    expect(await send(env)).toEqual({ kind: 'not-configured' });
  });
});

describe('the mailbox of a local start', () => {
  const locally = (changes: Partial<Mail>, nowMs = 0) =>
    sendMail(
      {
        env: {},
        config: { local: true },
        database: new Database(testEnv.DB, new Trace()),
        trace: new Trace(),
        nowMs,
        about: {},
      },
      { ...mail, ...changes },
    );

  it('shows each mail once, newest first, and bounces what is written to bounce@', async () => {
    await locally({ id: 'm-1', subject: 'One', replyTo: null });
    await locally({ id: 'm-2', subject: 'Two' }, 1_000);
    await locally({ id: 'm-1', subject: 'One' });
    const bounced = { kind: 'bounced', why: 'E_RECIPIENT_SUPPRESSED' };
    expect(await locally({ to: 'bounce+1@hotel.com' })).toEqual(bounced);
    const shown = { to: mail.to, from: `${mail.fromName} <mail@localhost>`, text: 'Hello' };
    expect(await mailbox()).toEqual([
      {
        ...shown,
        id: expect.any(Number),
        replyTo: 'desk@hotel.com',
        subject: 'Two',
        html: '<p>Hello</p>',
        at: '1970-01-01T00:00:01.000Z',
      },
      {
        ...shown,
        id: expect.any(Number),
        replyTo: null,
        subject: 'One',
        html: '<p>Hello</p>',
        at: '1970-01-01T00:00:00.000Z',
      },
    ]);
  });
});
