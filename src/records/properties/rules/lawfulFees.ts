import { type Failure, failure } from '../../../core/failure.ts';
import { instantOf } from '../../../core/time.ts';
import type { CardRow } from '../../../schema/cardTables.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { FeeRule, PropertyRow } from '../../../schema/propertyTables.ts';
import { BRANDS, feeLawOf } from '../rules.ts';
import {
  type ChargedCard,
  type FeeSettings,
  type FeeTerms,
  feeTermsFor,
  isInForce,
  ownTerms,
  termsOfRule,
} from './feeTerms.ts';
import {
  type Allowed,
  basisPointsOf,
  lawOn,
  lawsOf,
  SURCHARGE_LAWS,
  type SurchargeLaw,
  startOf,
} from './surchargeLaw.ts';

const PURPOSES: readonly TransactionRow['purpose'][] = ['Deposit', 'Balance', 'Bond', 'Manual'];

const FUNDINGS: readonly CardRow['funding'][] = ['credit', 'debit', 'prepaid', 'unknown'];

export type JudgedProperty = FeeSettings & Pick<PropertyRow, 'country' | 'feeLaw'>;

/**
 * Judges the fees of a property that enforces the law: null if no charge, now or at any later time that its rules and
 * the laws fix, would take more than is allowed (interface: Surcharge law).
 */
export function unlawfulFees(
  property: JudgedProperty,
  nowMs: number,
  laws: readonly SurchargeLaw[] = SURCHARGE_LAWS,
): Failure | null {
  if (feeLawOf(property) !== 'enforce') return null;
  for (const atMs of changesFrom(property, nowMs, laws)) {
    const law = brokenLaw(property, atMs, laws);
    if (law) return notAllowed(law);
  }
  return null;
}

/** Now, and every later instant at which a rule or a law of the property's country begins or ends. */
function changesFrom(
  { feeRules, country }: JudgedProperty,
  nowMs: number,
  laws: readonly SurchargeLaw[],
): number[] {
  const ofRules = feeRules.flatMap(({ from, until }) => [
    instantOf(from ?? ''),
    instantOf(until ?? ''),
  ]);
  const ofLaws = lawsOf(country, laws).map(startOf);
  const all = [...ofRules, ...ofLaws].filter((atMs) => atMs !== null);
  const later = all.filter((atMs) => atMs > nowMs);
  return [...new Set([nowMs, ...later])].toSorted((a, b) => a - b);
}

/** The law that some charge would break at an instant; null if none would. */
function brokenLaw(
  property: JudgedProperty,
  atMs: number,
  laws: readonly SurchargeLaw[],
): SurchargeLaw | null {
  const { country } = property;
  // The rules of this instant, as if they were always in force: each time is read once.
  const feeRules = property.feeRules
    .filter((rule) => isInForce(rule, atMs))
    .map(({ from: _from, until: _until, ...rule }) => rule);
  const now = { ...property, feeRules };
  const bound = lawsOf(country, laws).filter((law) => startOf(law) <= atMs);
  if (!bound.some((law) => hasTermsBeyond(now, law))) return null;
  for (const charge of everyKindOfCharge(property, feeRules, bound)) {
    const law = lawOn(country, charge, atMs, bound);
    if (!law) continue;
    const { terms } = feeTermsFor(now, charge, charge.purpose, atMs);
    if (mayTakeMore(terms, law.allowed)) return law;
  }
  return null;
}

/** Whether any terms of a property take more than a law allows, on whatever card: mostly none do, which is soon known. */
function hasTermsBeyond(property: JudgedProperty, law: SurchargeLaw): boolean {
  const { allowed } = law;
  const own = brandsOf(law, property).map((brand) => ownTerms(property, brand));
  const all = [...own, ...property.feeRules.map(termsOfRule)];
  return all.some((terms) => mayTakeMore(terms, allowed));
}

/** The brands that a law is about, as far as the property's fees tell them apart from others. */
function brandsOf({ brands }: SurchargeLaw, { cardFeeByBrand }: JudgedProperty): readonly string[] {
  return brands === 'any' ? [...BRANDS, ...Object.keys(cardFeeByBrand), 'unknown'] : brands;
}

/** A charge of each kind that some laws or rules tell apart. */
function* everyKindOfCharge(
  property: JudgedProperty,
  feeRules: readonly FeeRule[],
  laws: readonly SurchargeLaw[],
): Generator<ChargedCard & { readonly purpose: TransactionRow['purpose'] }> {
  const regions = laws.map(({ issuerRegion }) => (issuerRegion === 'any' ? [] : issuerRegion));
  const named = [...feeRules.map((rule) => rule.issuerCountries), ...regions];
  const issuers = new Set([null, ...named.flatMap((list) => list ?? [])]);
  const tellsFunding =
    feeRules.some(({ funding }) => funding) || laws.some(({ funding }) => funding !== 'any');
  const fundings = tellsFunding ? FUNDINGS : FUNDINGS.slice(0, 1);
  const tellsPurpose = feeRules.some(({ transactionTypes }) => transactionTypes);
  const purposes = tellsPurpose ? PURPOSES : PURPOSES.slice(0, 1);
  for (const brand of new Set(laws.flatMap((law) => brandsOf(law, property)))) {
    for (const funding of fundings) {
      for (const issuerCountry of issuers) {
        for (const purpose of purposes) {
          yield { brand, funding, issuerCountry, purpose, virtual: false };
        }
      }
    }
  }
}

/**
 * Whether terms take more than is allowed of some amount. A fixed fee exceeds every percentage of a small amount. A
 * share of the gross amount is more of the requested one: 3 % is 3.093 %.
 */
export function mayTakeMore(terms: FeeTerms, allowed: Allowed): boolean {
  if (allowed === 'cost') return false;
  if (terms.transactionFeeMinor > 0) return true;
  const rate = terms.maximumMinor === 0 ? 0 : terms.cardFeeBasisPoints;
  const mostRate = allowed === 'none' ? 0 : basisPointsOf(allowed);
  const base = terms.method === 'grossUp' ? 10_000 - rate : 10_000;
  return rate * 10_000 > mostRate * base;
}

function notAllowed({ jurisdiction, since, source, allowed }: SurchargeLaw): Failure {
  const most = typeof allowed === 'number' ? `more than ${allowed} %` : 'any';
  return failure(
    'surcharge_not_allowed',
    `The property enforces the law, which does not allow ${most} fee on some of its cards.`,
    { jurisdiction, since, source },
  );
}
