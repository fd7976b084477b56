import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAllowedAddress } from '../../src/delivery/rules/address.ts';

const good = [
  'https://pms.hotel.com',
  'https://pms.hotel.com/',
  'https://pms.hotel.com/messages?site=1#top',
  'https://pms.hotel.com:443/messages',
  'https://PMS.Hotel.COM/messages',
  'https://pms.hotel.com./messages',
  'https://hotel.co.uk',
  'https://a.io',
  'https://3com.com',
  'https://127.0.0.1.hotel.com',
  'https://xn--e1afmkfd.xn--p1ai',
  'https://отель.рф/сообщения',
  'https://local.hotel.com',
  'https://localhost.hotel.com',
  'https://mylocal.com',
  'https://pms-1.internal-hotels.com',
  `https://${'a'.repeat(63)}.com`,
  `https://${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`,
  'https://pms.hotel.b2',
  'https://pms.hotel.2b',
  `https://pms.hotel.com/${'a'.repeat(1_500)}`,
];

const evil: [string, string[]][] = [
  [
    'control characters',
    [
      'https://pms.hotel.com/\0',
      'https://pms.hotel.com/a\nb',
      'https://pms.hot\tel.com/',
      '\u0001https://a.io',
    ],
  ],
  ['no address', ['', ' ', 'pms.hotel.com', '//pms.hotel.com', '/messages', 'https://', 'https:']],
  [
    'another scheme',
    [
      'http://pms.hotel.com',
      'http://pms.hotel.com:443',
      'ftp://pms.hotel.com',
      'wss://pms.hotel.com',
      'file:///etc/passwd',
      'data:text/plain,hello',
      'javascript:alert(1)',
      'blob:https://pms.hotel.com/1',
      'httpss://pms.hotel.com',
    ],
  ],
  [
    'another port',
    [
      'https://pms.hotel.com:80',
      'https://pms.hotel.com:8443/messages',
      'https://pms.hotel.com:0',
      'https://pms.hotel.com:65536',
      'https://pms.hotel.com:4430',
    ],
  ],
  [
    'user-info',
    [
      'https://user@pms.hotel.com',
      'https://user:password@pms.hotel.com',
      'https://:password@pms.hotel.com',
      'https://@pms.hotel.com',
      'https://:@pms.hotel.com',
      'https://pms.hotel.com@10.0.0.1/',
      'https://pms.hotel.com%40evil.com',
      'https://pms.hotel.com\\@10.0.0.1/',
      'https://pms.hotel.com:443@10.0.0.1',
    ],
  ],
  [
    'an IPv4 literal',
    [
      'https://127.0.0.1',
      'https://127.0.0.1./',
      'https://8.8.8.8',
      'https://10.0.0.1/messages',
      'https://169.254.169.254/latest/meta-data',
      'https://192.168.1.1',
      'https://0.0.0.0',
      'https://255.255.255.255',
      'https://2130706433',
      'https://0x7f000001',
      'https://0x7f.0.0.1',
      'https://0x7f.1',
      'https://0177.0.0.1',
      'https://017700000001',
      'https://127.1',
      'https://127.0.1',
      'https://10.1',
      'https://0',
      'https://1.2.3.4.5',
      'https://256.1.1.1',
      'https://hotel.0x10',
      'https://hotel.123',
      'https://127%2e0%2e0%2e1',
      'https://１２７.０.０.１',
      'https://①②⑦.⓪.⓪.①',
      'https://127。0。0。1',
    ],
  ],
  [
    'an IPv6 literal',
    [
      'https://[::1]',
      'https://[::]',
      'https://[::ffff:127.0.0.1]',
      'https://[::ffff:7f00:1]',
      'https://[fe80::1]',
      'https://[fe80::1%25eth0]',
      'https://[fd00::1]/messages',
      'https://[2001:4860:4860::8888]',
      'https://[64:ff9b::7f00:1]',
      'https://::1',
    ],
  ],
  [
    'a private name',
    [
      'https://localhost',
      'https://LOCALHOST/',
      'https://localhost.',
      'https://pms.localhost',
      'https://localhost.localdomain',
      'https://pms.local',
      'https://pms.local.',
      'https://pms.LOCAL',
      'https://metadata.google.internal',
      'https://pms.intranet',
      'https://pms.private',
      'https://pms.corp',
      'https://pms.home',
      'https://router.lan',
      'https://pms.home.arpa',
      'https://1.0.0.127.in-addr.arpa',
      'https://hidden.onion',
      'https://pms.test',
      'https://pms.invalid',
      'https://pms.example',
      'https://local',
      'https://intranet',
      'https://pms',
      'https://com',
      'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
      'https://loc\u00adalhost',
      'https://pms。local',
    ],
  ],
  [
    'a malformed name',
    [
      'https://pms.hotel.com..',
      'https://.hotel.com',
      'https://pms..hotel.com',
      'https://-pms.hotel.com',
      'https://pms-.hotel.com',
      'https://pms_1.hotel.com',
      'https://pms hotel.com',
      'https://*.hotel.com',
      'https://pms.hotel.com%00.evil.com',
      'https://pms%2ehotel%2ecom%2f',
      `https://${'a'.repeat(64)}.com`,
      `https://${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(62)}`,
      `https://${'abcdefgh.'.repeat(29)}com`,
      `https://${'a.'.repeat(200_000)}com`,
    ],
  ],
];

describe('the address of a PMS', () => {
  test.each(good)('%s is allowed, locally and in a deployment', (address) => {
    expect(isAllowedAddress(address, false)).toBe(true);
    expect(isAllowedAddress(address, true)).toBe(true);
  });

  describe.each(evil)('that is %s is refused, locally and in a deployment', (_name, addresses) => {
    test.each(addresses.map((address) => [address.slice(0, 60), address]))(
      '%s',
      (_shown, address) => {
        expect(isAllowedAddress(address, false)).toBe(false);
        expect(isAllowedAddress(address, true)).toBe(false);
      },
    );
  });

  test.each([
    'http://127.0.0.1:8790',
    'http://127.0.0.1:8790/pms',
    'http://localhost:8790/pms?x=1',
    'http://localhost:80',
    'http://localhost:65535/',
  ])('%s is allowed locally only', (address) => {
    expect(isAllowedAddress(address, true)).toBe(true);
    expect(isAllowedAddress(address, false)).toBe(false);
  });

  test.each([
    'http://127.0.0.1',
    'http://localhost/pms',
    'http://localhost:',
    'http://localhost:65536',
    'http://localhost:8790\\pms',
    'http:localhost:8790',
    ' http://localhost:8790',
    'https://127.0.0.1:8790',
    'https://localhost:8790',
    'http://127.0.0.2:8790',
    'http://2130706433:8790',
    'http://0x7f.0.0.1:8790',
    'http://0177.0.0.1:8790',
    'http://127.1:8790',
    'http://0.0.0.0:8790',
    'http://[::1]:8790',
    'http://localhost.:8790',
    'http://pms.localhost:8790',
    'http://10.0.0.1:8790',
    'http://192.168.0.10:8790',
    'http://pms.hotel.com:8790',
    'http://127.0.0.1.hotel.com:8790',
    'http://user@127.0.0.1:8790',
    'http://user:password@localhost:8790',
    'http://localhost:8790@evil.com',
    'http://evil.com#localhost:8790',
  ])('%s is refused even locally', (address) => {
    expect(isAllowedAddress(address, true)).toBe(false);
  });

  test('is never an IPv4 address, in whichever notation its parts are written', () => {
    const notation = fc.constantFrom(10, 8, 16);
    const part = fc.tuple(fc.nat(255), notation).map(([value, base]) => {
      const digits = value.toString(base);
      if (base === 8) return `0${digits}`;
      return base === 16 ? `0x${digits}` : digits;
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        expect(isAllowedAddress(`https://${parts.join('.')}/pms`, false)).toBe(false);
        expect(isAllowedAddress(`http://${parts.join('.')}/pms`, true)).toBe(false);
      }),
    );
  });

  test('is never an IPv6 address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(isAllowedAddress(`https://[${address}]/pms`, true)).toBe(false);
      }),
    );
  });

  test('makes nothing throw, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(isAllowedAddress(`http://${text}`, false)).toBe(false);
      }),
    );
  });
});
