import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/core/time.ts';
import { allowed } from '../../src/desk/rights.ts';
import {
  deviceNamed,
  hasRight,
  isLocked,
  isOperator,
  leastRole,
  maySignIn,
  type Person,
  type Right,
  reaches,
} from '../../src/records/staff/rules.ts';

const ROLES = ['viewer', 'cashier', 'manager', 'admin'] as const;

describe('a role', () => {
  it.each<[Right, readonly string[]]>([
    ['see', ['viewer', 'cashier', 'manager', 'admin']],
    ['charge', ['cashier', 'manager', 'admin']],
    ['refund', ['cashier', 'manager', 'admin']],
    ['sendLinks', ['cashier', 'manager', 'admin']],
    ['schedule', ['manager', 'admin']],
    ['hold', ['manager', 'admin']],
    ['cancelSchedules', ['manager', 'admin']],
    ['seeReports', ['manager', 'admin']],
    ['resolve', ['manager', 'admin']],
    ['acceptDifferences', ['manager', 'admin']],
  ])('that may %s is one of %j', (right, allowing) => {
    expect(ROLES.filter((role) => hasRight(role, right))).toEqual(allowing);
  });

  it('of an accountant reads what managers read, and moves nothing', () => {
    const may = (right: Right) => hasRight('accountant', right);
    const moving = [
      'charge',
      'refund',
      'sendLinks',
      'schedule',
      'hold',
      'cancelSchedules',
    ] as const;
    expect([may('see'), may('seeReports')]).toEqual([true, true]);
    expect(
      [...moving, 'resolve', 'acceptDifferences', 'manageStaff'].filter((right) =>
        may(right as Right),
      ),
    ).toEqual([]);
    expect(allowed({ role: 'accountant' }, 'charge')).toMatchObject({ ok: false });
  });

  it('that does not include a right is refused by name', () => {
    expect(allowed({ role: 'viewer' }, 'charge')).toMatchObject({
      ok: false,
      error: {
        code: 'not_permitted',
        detail: 'Only cashiers and managers can charge cards.',
      },
    });
    expect(allowed({ role: 'cashier' }, 'charge')).toEqual({ ok: true, value: null });
  });
});

it.each<[Right, string]>([
  ['see', 'viewer'],
  ['refund', 'cashier'],
  ['answerDisputes', 'manager'],
  ['cancelBookings', 'manager'],
  ['manageStaff', 'admin'],
])('the least role that may %s is %s', (right, role) => {
  expect(leastRole(right)).toBe(role);
});

it.each<[string, Partial<Person>, boolean]>([
  ['an administrator of nothing else', {}, true],
  ['an administrator of a hotel', { propertyId: 'a' }, false],
  ['an administrator of a portfolio', { portfolio: 'p' }, false],
  ['a manager', { role: 'manager' }, false],
])('%s administers the service: %s', (_, { role = 'admin', ...place }, administers) => {
  const person = { propertyId: null, portfolio: null, ...place, role } as Person;
  expect(isOperator(person)).toBe(administers);
});

describe('a session', () => {
  const seenAtMs = 1_000;

  it.each([
    ['with a passkey is open before half an hour', true, 30 * MINUTE_MS - 1, false],
    ['with a passkey is locked after half an hour', true, 30 * MINUTE_MS, true],
    ['without a passkey stays open', false, 600 * MINUTE_MS, false],
  ])('%s', (_, hasPasskey, passedMs, locked) => {
    expect(isLocked({ seenAtMs }, hasPasskey, seenAtMs + passedMs)).toBe(locked);
  });
});

describe('a device', () => {
  const system = '(Windows NT 10.0; Win64; x64)';

  it.each([
    ['', 'Unknown device'],
    ['?', 'Unknown device'],
    [system, 'Windows'],
    [
      `Mozilla/5.0 ${system} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
  ])('of %j is %s', (userAgent, name) => {
    expect(deviceNamed(userAgent)).toBe(name);
  });
});

describe('a person reaches', () => {
  it.each([
    ['their property', { propertyId: 'a', portfolio: null }, true],
    ['no other property', { propertyId: 'b', portfolio: null }, false],
    ['the properties of their portfolio', { propertyId: null, portfolio: 'p' }, true],
    ['none of another portfolio', { propertyId: null, portfolio: 'q' }, false],
    ['every property, with neither', { propertyId: null, portfolio: null }, true],
  ])('%s', (_, place, reached) => {
    expect(reaches(place, { id: 'a', portfolio: 'p' })).toBe(reached);
  });
});

it.each([
  ['is active', { active: true, seeded: false }, false, true],
  ['is not active', { active: false, seeded: false }, true, false],
  ['was seeded, locally', { active: true, seeded: true }, true, true],
  ['was seeded, deployed', { active: true, seeded: true }, false, false],
])('who %s may sign in, or not', (_, user, local, may) => {
  expect(maySignIn(user, local)).toBe(may);
});
