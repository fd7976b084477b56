import { describe, expect, it } from 'vitest';
import { http, parsed } from '../support/api.ts';

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${btoa(`${id}:${secret}`)}`,
});

async function ask(body: BodyInit | null, headers: Record<string, string> = {}) {
  return parsed(await http('/auth/v1/token', { method: 'POST', headers, body }));
}

const form = (parameters: Record<string, string>) => new URLSearchParams(parameters);
const json = (value: unknown) => JSON.stringify(value);
const asJson = { 'Content-Type': 'application/json' };
const grant = { grant_type: 'client_credentials' };
const inBody = { client_id: 'demo-engine', client_secret: 'demo-secret' };

describe('POST /auth/v1/token', () => {
  it.each([
    ['a form with HTTP Basic', () => ask(form(grant), basic('demo-engine', 'demo-secret'))],
    ['a form with credentials in it', () => ask(form({ ...grant, ...inBody }))],
    [
      'JSON with HTTP Basic',
      () => ask(json(grant), { ...asJson, ...basic('demo-engine', 'demo-secret') }),
    ],
    ['JSON with credentials in it', () => ask(json({ ...grant, ...inBody }), asJson)],
  ])('gives a token to %s', async (_name, request) => {
    const { status, headers, json: token } = await request();
    expect(status).toBe(200);
    expect(token).toEqual({
      success: true,
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'bookings payments cards inventory applications disbursements events',
    });
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('narrows the scope to what is asked for', async () => {
    const { json: token } = await ask(form({ ...grant, ...inBody, scope: 'payments cards' }));
    expect(token.scope).toBe('payments cards');
  });

  it.each([
    ['a wrong secret', { ...grant, client_id: 'demo-engine', client_secret: 'wrong' }],
    ['an unknown client', { ...grant, client_id: 'nobody', client_secret: 'demo-secret' }],
    ['no credentials', { ...grant }],
  ])('refuses %s with invalid_client', async (_name, parameters) => {
    const { status, headers, json: refusal } = await ask(form(parameters));
    expect(status).toBe(401);
    expect(refusal).toEqual({
      success: false,
      error: 'invalid_client',
      error_description: expect.any(String),
    });
    expect(headers.get('WWW-Authenticate')).toBeNull();
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('names Basic when Basic was used', async () => {
    const { status, headers } = await ask(form(grant), basic('demo-engine', 'wrong'));
    expect(status).toBe(401);
    expect(headers.get('WWW-Authenticate')).toMatch(/^Basic/);
  });

  it.each([
    ['another grant', { ...inBody, grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant', { ...inBody }, 'invalid_request'],
    [
      'a scope that the client has not',
      { ...grant, ...inBody, scope: 'payments admin' },
      'invalid_scope',
    ],
    ['a scope that nobody knows', { ...grant, ...inBody, scope: 'everything' }, 'invalid_scope'],
  ])('refuses %s', async (_name, parameters, error) => {
    const { status, json: refusal } = await ask(form(parameters));
    expect(status).toBe(400);
    expect(refusal).toMatchObject({ success: false, error });
  });

  it('reads a JSON body that does not call itself so, but not one that calls itself a form', async () => {
    const body = json({ ...grant, ...inBody });
    for (const type of ['text/plain', 'what is this']) {
      expect((await ask(body, { 'Content-Type': type })).status).toBe(200);
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await ask(body, form)).status).toBe(400);
  });

  it.each([
    ['broken JSON', '{'],
    ['a JSON list', '[]'],
    ['a number for a secret', json({ ...grant, client_id: 'demo-engine', client_secret: 1 })],
  ])('refuses %s', async (_name, body) => {
    const { status, json: refusal } = await ask(body, asJson);
    expect(status).toBe(400);
    expect(refusal.error).toBe('invalid_request');
  });

  it('refuses a body of more than 8 KiB, announced or streamed', async () => {
    const large = `grant_type=client_credentials&filler=${'x'.repeat(9_000)}`;
    for (const body of [large, new Response(large).body]) {
      const { status, json: refusal } = await ask(body);
      expect(status).toBe(413);
      expect(refusal).toMatchObject({
        success: false,
        code: 'body_too_large',
        error: 'invalid_request',
        error_description: expect.any(String),
      });
    }
  });

  it('refuses a parameter that stands twice, and credentials that come in two ways', async () => {
    const twice = await ask('grant_type=client_credentials&grant_type=client_credentials', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(twice.json.error).toBe('invalid_request');
    const both = await ask(form({ ...grant, ...inBody }), basic('demo-engine', 'demo-secret'));
    expect(both.json.error).toBe('invalid_request');
  });
});
