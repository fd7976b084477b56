import { type Failure, failure } from '../../core/failure.ts';
import { guestFields, stayFields } from '../applications/rules/fields.ts';

/** Something that is not over yet, so that its booking's guest cannot be erased or its booking archived. */
export interface OpenThing {
  readonly what: string;
  readonly id: string;
}

/** The failure of what waits until everything is over. Says what is open. */
export function stillOpen(reference: string, open: readonly OpenThing[]): Failure {
  const things = open.map(({ what, id }) => `${what} ${id}`).join(', ');
  return failure('invalid_state', `The booking ${reference} has open: ${things}.`, {
    open: open.map((one) => ({ bookingReference: reference, ...one })),
  });
}

/** How many rows of a kind tell of a guest, or did until now. */
export interface Erased {
  readonly what: string;
  readonly count: number;
}

/** Adds up what was erased, by its kind, without what was nothing. */
export function addedUp(all: readonly Erased[]): Erased[] {
  const sums = new Map<string, number>();
  for (const { what, count } of all) sums.set(what, (sums.get(what) ?? 0) + count);
  return [...sums].flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []));
}

/**
 * Whether a detail of the audit trail may be somebody's own words: not a code of the service or of an acquirer, nor the
 * name of a text that a guest agreed to.
 */
export function isFreeText(detail: string | null): boolean {
  return detail !== null && !/^[a-z_]+$/.test(detail) && !/^agreed to [\w-]+ \S+$/.test(detail);
}

const OF_GUEST: readonly string[] = [...Object.keys(guestFields), ...Object.keys(stayFields)];

/** What of an application tells nothing of its guest: how old they were, what they asked for, and in what form. */
const KEPT: ReadonlySet<string> = new Set([
  'internationalStudent',
  'nonStudent',
  'inAustralia',
  'ageOnArrival',
  'under18',
  'roomType',
  'rateType',
  'residents',
  'isMobile',
  'isTablet',
]);

/** The members of an application, in answers and exports, that tell of its guest. */
export const GUEST_MEMBERS: readonly string[] = [
  'email',
  'agent',
  ...OF_GUEST.filter((name) => !KEPT.has(name)),
];

/** What an event shows, without the guest of its application and what the terms of its plan are called; null if it shows neither. */
export function withoutGuest(snapshot: unknown): object | null {
  if (snapshot === null || typeof snapshot !== 'object') return null;
  if ('application' in snapshot) {
    return { ...snapshot, application: blanked(snapshot.application as object, GUEST_MEMBERS) };
  }
  if (!('plan' in snapshot)) return null;
  const plan = snapshot.plan as { readonly parts: readonly object[] };
  return {
    ...snapshot,
    plan: { ...plan, parts: plan.parts.map((part) => blanked(part, ['label'])) },
  };
}

function blanked(members: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, names.includes(name) ? null : value]),
  );
}

/** What stays of an erased guest, why, and until when; null for as long as the property keeps its books. */
export interface KeptThing {
  readonly what: string;
  readonly why: string;
  readonly until: string | null;
}

/** How many rows there are of each kind that stays. */
export interface KeptCounts {
  readonly bookings: number;
  readonly applications: number;
  readonly cards: number;
  readonly payments: number;
  readonly entries: number;
  readonly sharedCards: number;
}

const KEPT_THINGS: Readonly<Record<keyof KeptCounts, Omit<KeptThing, 'until'>>> = {
  bookings: {
    what: 'stays: reference, dates, amounts',
    why: 'the books of the property need them',
  },
  applications: {
    what: 'applications: numbers, dates, status, amounts',
    why: 'the property counts them, and they name nobody',
  },
  cards: {
    what: 'cards: brand, last four digits, expiry',
    why: 'refunds and disputes of what was paid name them',
  },
  payments: {
    what: 'payments, refunds and disputes: ids, times, amounts',
    why: 'the law asks for accounts',
  },
  entries: {
    what: 'the audit trail: who did what, when, with which amounts',
    why: 'the law asks for accounts',
  },
  sharedCards: {
    what: 'cards at the acquirer that another booking uses',
    why: 'that booking is not erased',
  },
};

/** What stays, by what there is. */
export function keptOf(counts: KeptCounts): KeptThing[] {
  const names = Object.keys(KEPT_THINGS) as (keyof KeptCounts)[];
  return names.flatMap((name) => (counts[name] > 0 ? [{ ...KEPT_THINGS[name], until: null }] : []));
}
