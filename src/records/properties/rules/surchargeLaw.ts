import { brandName } from '../rules.ts';
import type { PayingCard } from './feeTerms.ts';

/** A law, or rule of the card networks, on what a property may charge for the use of a card (interface: Surcharge law). */
export interface SurchargeLaw {
  readonly jurisdiction: string;
  /** The countries of the properties that it binds, ISO 3166-1. */
  readonly countries: readonly string[];
  /** A time with offset. */
  readonly since: string;
  readonly brands: 'any' | readonly string[];
  readonly funding: 'any' | readonly PayingCard['funding'][];
  /** Where the card is issued, ISO 3166-1. */
  readonly issuerRegion: 'any' | readonly string[];
  readonly allowed: Allowed;
  readonly source: string;
}

/** What a law allows: nothing, the cost of the card's acceptance, or a percentage of the requested amount. */
export type Allowed = 'none' | 'cost' | number;

/** The states of the European Union, Iceland, Liechtenstein and Norway. */
const EEA =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO'.split(
    ' ',
  );

/** Maestro is a brand of Mastercard. */
const VISA_AND_MASTERCARD = ['visa', 'mastercard', 'maestro'];

const EFTPOS_VISA_AND_MASTERCARD = ['eftpos', ...VISA_AND_MASTERCARD];

/** No acquirer tells which cards are commercial, so every card counts as a consumer's. */
const ANY_CARD = { funding: 'any', issuerRegion: 'any' } as const;

/** The laws that this service knows, by jurisdiction and date. */
export const SURCHARGE_LAWS: readonly SurchargeLaw[] = [
  {
    jurisdiction: 'AU',
    countries: ['AU'],
    since: '2017-09-01T00:00:00+10:00',
    brands: EFTPOS_VISA_AND_MASTERCARD,
    ...ANY_CARD,
    allowed: 'cost',
    source:
      'Reserve Bank of Australia, Standard No. 3 of 2016: Scheme Rules Relating to Merchant Pricing',
  },
  {
    jurisdiction: 'AU',
    countries: ['AU'],
    since: '2026-10-01T00:00:00+10:00',
    brands: EFTPOS_VISA_AND_MASTERCARD,
    ...ANY_CARD,
    allowed: 'none',
    source:
      'Reserve Bank of Australia, Review of Merchant Card Payment Costs and Surcharging: Conclusions Paper, March 2026',
  },
  {
    jurisdiction: 'GB',
    countries: ['GB'],
    since: '2018-01-13T00:00:00+00:00',
    // Goes beyond Article 62(4) of PSD2: consumers' cards of every network, and other instruments.
    brands: 'any',
    ...ANY_CARD,
    allowed: 'none',
    source:
      'Consumer Rights (Payment Surcharges) Regulations 2012 (SI 2012/3110), regulation 6A, as amended by SI 2017/752',
  },
  {
    jurisdiction: 'EEA',
    countries: EEA,
    since: '2018-01-13T00:00:00+01:00',
    brands: VISA_AND_MASTERCARD,
    ...ANY_CARD,
    allowed: 'none',
    source: 'Directive (EU) 2015/2366 (PSD2), Article 62(4)',
  },
  // Article 62(5) lets states forbid more: these two forbid it on every payment instrument.
  {
    jurisdiction: 'BE',
    countries: ['BE'],
    since: '2018-08-09T00:00:00+02:00',
    brands: 'any',
    ...ANY_CARD,
    allowed: 'none',
    source:
      'Code de droit économique / Wetboek van economisch recht, article VII.30, § 3, by the law of 19 July 2018',
  },
  {
    jurisdiction: 'IT',
    countries: ['IT'],
    since: '2018-01-13T00:00:00+01:00',
    brands: 'any',
    ...ANY_CARD,
    allowed: 'none',
    source:
      'Codice del consumo (D.Lgs. 206/2005), articolo 62, and D.Lgs. 218/2017; notice of the AGCM to businesses, 2018',
  },
];

/** The law on a card at an instant, in a property's country: the latest that fits; null if none does. */
export function lawOn(
  country: string | null,
  card: PayingCard,
  atMs: number,
  laws: readonly SurchargeLaw[] = SURCHARGE_LAWS,
): SurchargeLaw | null {
  const inForce = lawsOf(country, laws).filter(
    (law) => bindsCard(law, card) && startOf(law) <= atMs,
  );
  return inForce.toSorted((a, b) => startOf(b) - startOf(a))[0] ?? null;
}

/** The laws of a country, past and future; none where the country is not known. */
export function lawsOf(
  country: string | null,
  laws: readonly SurchargeLaw[] = SURCHARGE_LAWS,
): SurchargeLaw[] {
  return laws.filter(({ countries }) => country !== null && countries.includes(country));
}

/** The instant from which a law binds, in milliseconds. */
export function startOf({ since }: SurchargeLaw): number {
  return Date.parse(since);
}

/**
 * The highest fees that a law allows on a requested amount, both fees together, in minor units; null where nobody but
 * the property knows, because its costs are the limit.
 */
export function allowedFeesMinor(allowed: Allowed, requestedMinor: number): number | null {
  if (allowed === 'none') return 0;
  if (allowed === 'cost') return null;
  return Number((BigInt(requestedMinor) * BigInt(basisPointsOf(allowed))) / 10_000n);
}

export function basisPointsOf(percent: number): number {
  return Math.round(percent * 100);
}

function bindsCard({ brands, funding, issuerRegion }: SurchargeLaw, card: PayingCard): boolean {
  return (
    (brands === 'any' || brands.includes(brandName(card.brand))) &&
    (funding === 'any' || funding.includes(card.funding)) &&
    (issuerRegion === 'any' ||
      (card.issuerCountry !== null && issuerRegion.includes(card.issuerCountry)))
  );
}
