import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysBetween, wholeWeeksOf } from '../../src/core/days.ts';
import { addDays, ageOn } from '../../src/core/time.ts';
import { overtaken } from '../../src/platform/db/retryWhenStale.ts';
import { newApplicationNumber } from '../../src/records/applications/actions.ts';
import {
  APPLICATION_NOT_FOUND,
  deviceOf,
  illegalMove,
  mergeDetails,
  ownerFaults,
  stayFaults,
  tenantApplication,
} from '../../src/records/applications/rules.ts';
import { applicationView } from '../../src/records/applications/views.ts';
import { applicationRow } from './applicationRows.ts';

const nothing = mergeDetails(null, {});

describe('what is said of an application', () => {
  it('is null as long as nothing is said', () => {
    expect(new Set(Object.values(nothing))).toEqual(new Set([null]));
  });

  it('stays when it is left out, and goes when it is null', () => {
    const before = mergeDetails(null, { city: 'Perth', residents: 2, inAustralia: false });
    expect(mergeDetails(before, { city: undefined, residents: null })).toEqual({
      ...before,
      residents: null,
    });
  });

  it('keeps what is false, zero or empty', () => {
    const said = mergeDetails(null, { inAustralia: false, residents: 0, weeklyRateMinor: 0 });
    expect(said).toMatchObject({ inAustralia: false, residents: 0, weeklyRateMinor: 0 });
  });

  it.each([
    ['2009-02-14', 18, false],
    ['2009-02-15', 17, true],
    ['2027-02-14', 0, true],
    ['1950-12-31', 76, false],
  ])('born on %s, the guest is %i on 14 February 2027', (dateOfBirth, age, under18) => {
    const said = mergeDetails(null, { dateOfBirth, arrival: '2027-02-14', ageOnArrival: 40 });
    expect(said).toMatchObject({ ageOnArrival: age, under18 });
  });

  it('derives the age anew when the arrival changes', () => {
    const before = mergeDetails(null, { dateOfBirth: '2009-02-15', arrival: '2027-02-14' });
    expect(mergeDetails(before, { arrival: '2027-02-15' })).toMatchObject({
      ageOnArrival: 18,
      under18: false,
    });
  });

  it.each([
    [{ ageOnArrival: 17 }, 17, true],
    [{ ageOnArrival: 18 }, 18, false],
    [{ ageOnArrival: 17, under18: false }, 17, false],
    [{ under18: true }, null, true],
    [{}, null, null],
  ])('without a date of birth, %o is believed', (said, ageOnArrival, under18) => {
    expect(mergeDetails(null, said)).toMatchObject({ ageOnArrival, under18 });
  });

  it('believes an age while either the birth or the arrival is not known', () => {
    const told = { ageOnArrival: 17 };
    for (const half of [{ dateOfBirth: '1990-01-01' }, { arrival: '2027-02-14' }]) {
      expect(mergeDetails(null, { ...told, ...half })).toMatchObject({
        ...told,
        ...half,
        under18: true,
      });
    }
  });

  it('keeps what was told of an age that it would say otherwise itself', () => {
    const before = mergeDetails(null, { ageOnArrival: 17, under18: false });
    expect(mergeDetails(before, { city: 'Perth' })).toMatchObject({ under18: false });
    expect(mergeDetails(before, { ageOnArrival: 17 })).toMatchObject({ under18: true });
  });

  it('does not keep whether an earlier age was under 18', () => {
    const before = mergeDetails(null, { ageOnArrival: 17 });
    expect(mergeDetails(before, { ageOnArrival: 30 })).toMatchObject({ under18: false });
    expect(mergeDetails(before, { city: 'Perth' })).toMatchObject({ under18: true });
  });

  it('derives the device from a User-Agent that is known, whatever else is said', () => {
    const said = { userAgent: IPHONE, isMobile: false, isTablet: true };
    expect(mergeDetails(null, said)).toMatchObject({ isMobile: true, isTablet: false });
    const unknown = { userAgent: 'x', isTablet: true };
    expect(mergeDetails(null, unknown)).toMatchObject({ isMobile: false, isTablet: true });
    expect(mergeDetails(null, { isTablet: true })).toMatchObject({
      isMobile: null,
      isTablet: true,
    });
  });
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';

describe('a device', () => {
  it.each([
    [IPHONE, true, false],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
      true,
      false,
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
      false,
      true,
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; SM-X906C) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
      false,
      true,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
      false,
      false,
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0', false, false],
    ['curl/8.5.0', false, false],
    [' ', false, false],
    ['🎓', false, false],
  ])('%s', (userAgent, isMobile, isTablet) => {
    expect(deviceOf(userAgent)).toEqual({ isMobile, isTablet });
  });

  it('is never both, whatever the User-Agent', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), (userAgent) => {
        const { isMobile, isTablet } = deviceOf(userAgent);
        expect(isMobile && isTablet).toBe(false);
      }),
    );
  });
});

describe('the dates of a stay', () => {
  const dates = (arrival: string | null, departure: string | null, dateOfBirth: string | null) =>
    stayFaults({ arrival, departure, dateOfBirth }).map(({ field, code }) => `${field} ${code}`);

  it.each([
    [null, null, null, []],
    ['2027-02-14', null, null, []],
    [null, '2027-02-14', '2030-01-01', []],
    ['2027-02-14', '2027-02-15', '2027-02-14', []],
    ['2027-02-14', '2027-02-14', null, ['departure departure_not_after_arrival']],
    ['2027-02-14', '2026-02-14', null, ['departure departure_not_after_arrival']],
    ['2027-02-14', '2090-02-14', null, ['departure too_big']],
    ['2027-02-14', null, '2027-02-15', ['dateOfBirth invalid_date']],
    [
      '2027-02-14',
      '2027-02-13',
      '2027-02-15',
      ['departure departure_not_after_arrival', 'dateOfBirth invalid_date'],
    ],
  ])('%s to %s, born %s', (arrival, departure, dateOfBirth, faults) => {
    expect(dates(arrival, departure, dateOfBirth)).toEqual(faults);
  });
});

describe('the longest stay', () => {
  it('has ten thousand nights', () => {
    const faults = [10_000, 10_001].map((nights) =>
      stayFaults({
        arrival: '2027-02-14',
        departure: addDays('2027-02-14', nights),
        dateOfBirth: null,
      }).map(({ code }) => code),
    );
    expect(faults).toEqual([[], ['too_big']]);
  });
});

describe('whose an application is', () => {
  it.each([
    [{}, []],
    [{ property: null, currency: null }, []],
    [{ property: 'demo', currency: 'AUD' }, []],
    [{ property: 'other', currency: 'AUD' }, ['property']],
    [{ property: 'demo', currency: 'EUR' }, ['currency']],
    [{ property: '', currency: 'aud' }, ['property', 'currency']],
  ])('may only be told as it is: %o', (told, fields) => {
    const faults = ownerFaults({ id: 'demo', currency: 'AUD', timeZone: 'Etc/UTC' }, told);
    expect(faults.map(({ field, code }) => [field, code])).toEqual(
      fields.map((field) => [field, 'invalid_value']),
    );
  });
});

describe('the refusals about an application', () => {
  it('tell that it is not there, that it cannot, and that others came first', () => {
    expect(APPLICATION_NOT_FOUND.code).toBe('application_not_found');
    expect(illegalMove('History', 'Held')).toEqual({
      code: 'invalid_state',
      detail: 'The application is History and cannot become Held.',
    });
    expect(overtaken('application')).toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
  });
});

describe('durations', () => {
  it.each([
    [1, 1],
    [7, 1],
    [8, 2],
    [10, 2],
    [11, 2],
    [14, 2],
    [31, 5],
    [365, 53],
  ])('%i nights are %i whole weeks', (nights, weeks) => {
    expect(wholeWeeksOf(nights)).toBe(weeks);
  });

  it('are right over a change of clocks', () => {
    expect(daysBetween('2027-03-27', '2027-03-29')).toBe(2);
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
  });
});

describe('an age', () => {
  it('of somebody born on 29 February grows on 1 March', () => {
    expect(ageOn('2008-02-29', '2026-02-28')).toBe(17);
    expect(ageOn('2008-02-29', '2026-03-01')).toBe(18);
    expect(ageOn('2008-02-29', '2028-02-29')).toBe(20);
  });
});

describe('an application for a tenancy', () => {
  const now = '2026-01-01T00:00:00Z';

  it('is completed where something is left out', () => {
    expect(tenantApplication({}, () => 'new', now)).toEqual({
      tenantApplicationId: 'new',
      tenantApplicationProcessId: null,
      status: 'NEW',
      applicants: [{ tenantApplicationApplicantId: 'new', contactId: null }],
      createdDateTime: now,
      lastUpdatedDateTime: now,
    });
  });

  it('without applicants is of the one who applies, and shown with that contact', () => {
    const completed = tenantApplication({ applicants: [] }, () => 'new', now);
    const shown = applicationView(
      applicationRow({ contactId: 7, tenantApplications: [completed] }),
    );
    expect(shown.tenantApplications).toEqual([
      { ...completed, applicants: [{ tenantApplicationApplicantId: 'new', contactId: 7 }] },
    ]);
  });

  it('stays as it is given otherwise', () => {
    const given = {
      tenantApplicationId: 'id',
      tenantApplicationProcessId: 'process',
      status: 'SIGNED',
      applicants: [{ tenantApplicationApplicantId: 'one', contactId: 7 }],
      createdDateTime: '2025-01-01T00:00:00Z',
      lastUpdatedDateTime: '2025-01-02T00:00:00Z',
    };
    expect(tenantApplication(given, () => 'new', now)).toEqual(given);
  });
});

describe('an application as it is shown', () => {
  it('has amounts in its currency, whole weeks and times in UTC', () => {
    const row = applicationRow({
      arrival: '2027-02-14',
      departure: '2027-02-24',
      currency: 'KWD',
      totalMinor: 1_234_567,
      weeklyRateMinor: 0,
      heldAtMs: Date.UTC(2027, 0, 2, 3, 4, 5, 678),
      agent: { company: 'C' },
    });
    expect(applicationView(row)).toMatchObject({
      weeksDuration: 2,
      nightsDuration: 10,
      total: 1234.567,
      weeklyRate: 0,
      heldTime: '2027-01-02T03:04:05Z',
      agent: {
        company: 'C',
        name: null,
        email: null,
        phone: null,
        agentCode: null,
        agentCrm: null,
      },
    });
  });

  it('has null where nothing is known', () => {
    const row = applicationRow({ arrival: null, applicationAtMs: null });
    expect(applicationView(row)).toMatchObject({
      weeksDuration: null,
      nightsDuration: null,
      total: null,
      applicationTime: null,
      agent: null,
    });
  });
});

describe('an application number', () => {
  it('is ten unmistakable characters, and hardly ever comes twice', () => {
    const numbers = Array.from({ length: 5_000 }, newApplicationNumber);
    for (const number of numbers) expect(number).toMatch(/^APP-[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
