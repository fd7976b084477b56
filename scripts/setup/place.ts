/** Guesses where the hotel is from the clock of the computer that sets it up. */
import currencies from 'currency-codes';

/** Codes of ISO 4217 that nobody pays with: units of account and of funds. */
const UNITS: ReadonlySet<string> = new Set('BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' '));

/** What amounts are in, and when days begin. */
export interface Place {
  /** ISO 4217. */
  readonly currency: string;
  /** IANA. */
  readonly timeZone: string;
}

/** The time zone of this computer and the currency of its country; null where no country is known. */
export function likelyPlace(
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): Place | null {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const region = regions().find((code) => zonesOf(code).includes(timeZone));
  const country = region === undefined ? undefined : names.of(region);
  const currency = country === undefined ? undefined : currencyOf(country.toLowerCase());
  return currency === undefined ? null : { currency, timeZone };
}

/** Two letters each; most name no country, and have no time zones. */
function regions(): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  return letters.flatMap((first) => letters.map((second) => first + second));
}

function zonesOf(region: string): readonly string[] {
  return new Intl.Locale(`und-${region}`).getTimeZones() ?? [];
}

/** ISO's list says "United States of America (The)" where people say "United States". */
function currencyOf(country: string): string | undefined {
  return currencies.data.find(
    ({ code, countries }) =>
      !UNITS.has(code) && countries.some((name) => name.toLowerCase().startsWith(country)),
  )?.code;
}
