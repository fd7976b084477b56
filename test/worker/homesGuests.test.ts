/** A deployment of three databases: the links of guests lead to where their property lives. */
import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts';
import { requireConfig } from '../../src/platform/config.ts';
import { seal } from '../../src/platform/crypto/seal.ts';
import { unsealCardLink } from '../../src/records/links/linkToken.ts';
import { atTime, bookingOf, call, makeProperty, testEnv } from '../support/api.ts';
import { GOOD } from '../support/cards.ts';
import { move, threeDatabases } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { Guest, typedCard } from '../support/guest.ts';
import { mailsTo } from '../support/mailbox.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'], keepSpies: true });
threeDatabases();

let token: string;

beforeAll(async () => {
  token = await makeProperty('east', { database: 'DB2' });
});

/** Makes a booking of a guest with an address of their own. */
async function book(reference: string): Promise<void> {
  const body = bookingOf(reference, { email: `${reference}@hotel.com` });
  const { status } = await call('/booking/v1/create/manage-payments', body, { token });
  expect(status).toBe(200);
}

/** The link of the only mail to an address, once that is out. */
function linkOfMailTo(address: string): Promise<string> {
  return eventually(async () => {
    const mails = await mailsTo(address);
    expect(mails).toHaveLength(1);
    return /https?:\/\/\S+\/guest\/\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
  });
}

async function openedBy(link: string): Promise<Guest> {
  const guest = new Guest();
  await guest.open(link);
  return guest;
}

/** The same link as an earlier version made it: it named no property. */
async function asBefore(link: string): Promise<string> {
  const { keyring } = await requireConfig(testEnv);
  const url = new URL(link);
  const claims = await unsealCardLink(keyring, url.search.slice(1));
  const named = JSON.stringify([claims?.requestId, claims?.expiresAtMs]);
  return `${url.origin}${url.pathname}?${await seal(keyring, 'guest-link', 'card-link', named)}`;
}

describe('the link of a request for a card', () => {
  const request = async (email: string, details: object = {}) => {
    const asked = await call('/payment/v1/request-card-details', { email, ...details }, { token });
    expect(asked.status).toBe(200);
    return linkOfMailTo(email);
  };

  it('opens its page, whether it names its property or not, and keeps the card', async () => {
    const link = await request('new@hotel.com');
    const old = await asBefore(await request('old@hotel.com'));
    for (const one of [link, old]) {
      const guest = await openedBy(one);
      expect([guest.page.status, guest.page.html.includes('Property east')]).toEqual([200, true]);
      await guest.submit(typedCard(GOOD));
      expect(guest.page.html).toContain('Your card is saved for');
    }
  });

  it('says whose it is once it has expired, or its visit has', async () => {
    const link = await request('late@hotel.com');
    const guest = await openedBy(link);
    const shown = async (lateMs: number, address: string) => {
      await atTime(Date.now() + lateMs, () => guest.open(address));
      return [guest.page.status, guest.page.html.includes('Property east')];
    };
    expect(await shown(HOUR_MS, guest.page.path)).toEqual([401, true]);
    expect(await shown(80 * HOUR_MS, link)).toEqual([410, true]);
    expect(await shown(80 * HOUR_MS, await asBefore(link))).toEqual([410, true]);
  });

  it('goes on working where the property moves', async () => {
    await book('MOVED');
    const link = await request('MOVED@hotel.com', { reference: 'MOVED' });
    const old = await asBefore(link);
    expect((await move('east', 'STORE1')).status).toBe('moved');
    for (const one of [old, link]) expect((await openedBy(one)).page.html).toContain('MOVED');
    expect((await move('east', 'DB2')).status).toBe('moved');
    for (const one of [old, link]) expect((await openedBy(one)).page.html).toContain('MOVED');
  });
});

it('a payment link that has expired can be had anew by mail', async () => {
  await book('ANEW');
  const body = { reference: 'ANEW', expiresInMinutes: 10 };
  const { url } = (await call('/booking/v1/get-url', body, { token })).json;
  const guest = new Guest();
  await atTime(Date.now() + 11 * MINUTE_MS, () => guest.open(url));
  expect([guest.page.status, guest.page.html.includes('Property east')]).toEqual([410, true]);
  await guest.submit();
  expect([guest.page.status, guest.page.html.includes('on its way')]).toEqual([200, true]);
  const fresh = await openedBy(await linkOfMailTo('ANEW@hotel.com'));
  expect([fresh.page.status, fresh.page.html.includes('Your booking')]).toEqual([200, true]);
});
