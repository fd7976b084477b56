import type { Agent } from '../../../schema/applicationTables.ts';

/** A field that an application stores as given: its type, and whether the exports contain it. */
export type Field = FieldType & {
  /** What readers of the interface and of the exports learn of it. */
  readonly meaning: string;
  /** `false`: the exports leave the field out. */
  readonly exported?: false;
};

type FieldType =
  /** Text that people write. */
  | { readonly type: 'text'; readonly longest: number }
  /** A code or number of another system. */
  | { readonly type: 'code'; readonly longest: number }
  | { readonly type: 'phone'; readonly longest: number }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  | { readonly type: 'flag' }
  /** From 0 to `most`. */
  | { readonly type: 'integer'; readonly most: number }
  /** `YYYY-MM-DD`. */
  | { readonly type: 'day' };

/** The values of each type of field, in requests, rows and answers. */
export interface FieldValues {
  readonly text: string;
  readonly code: string;
  readonly phone: string;
  readonly choice: string;
  readonly flag: boolean;
  readonly integer: number;
  readonly day: string;
}

/** The values of `gender` (interface: The application object). */
const genders = [
  'Male',
  'Female',
  'Transgender male/Transman/FTM',
  'Transgender female/Transwoman/MTF',
  'Gender Queer',
  'Non-Binary',
  'Other',
  'Decline to answer',
] as const;

/**
 * The guest of a stay (interface: The application object). Requests, PMS messages, answers and exports take their
 * fields from this table and the next. A field needs a column of the same name in `applications`.
 */
export const guestFields = {
  gender: { type: 'choice', of: genders, meaning: "the guest's" },
  nationality: { type: 'text', longest: 100, meaning: "the guest's" },
  city: { type: 'text', longest: 100, meaning: "of the guest's address" },
  state: { type: 'text', longest: 100, meaning: "of the guest's address" },
  country: { type: 'text', longest: 100, meaning: "of the guest's address" },
  internationalStudent: { type: 'flag', meaning: 'whether the guest studies away from home' },
  nonStudent: { type: 'flag', meaning: 'whether the guest does not study' },
} as const satisfies Readonly<Record<string, Field>>;

/** The stay, without its dates and amounts, which have their own parsers. */
export const stayFields = {
  inAustralia: { type: 'flag', meaning: 'whether the guest is in Australia when applying' },
  dateOfBirth: { type: 'day', exported: false, meaning: "the guest's, not after the arrival" },
  ageOnArrival: { type: 'integer', most: 150, meaning: 'from `dateOfBirth` where that is known' },
  under18: { type: 'flag', meaning: 'on arrival; from `dateOfBirth` where that is known' },
  roomType: { type: 'text', longest: 200, meaning: 'as the property names it' },
  rateType: { type: 'text', longest: 200, meaning: 'as the property names it' },
  residents: { type: 'integer', most: 1_000, meaning: 'how many people stay' },
  university: { type: 'text', longest: 200, meaning: 'where and what the guest studies' },
  courseName: { type: 'text', longest: 200, meaning: 'where and what the guest studies' },
  userAgent: { type: 'text', longest: 1_000, meaning: "of the guest's browser" },
  isMobile: {
    type: 'flag',
    meaning: 'from `userAgent` where that is known; a tablet is not mobile',
  },
  isTablet: {
    type: 'flag',
    meaning: 'from `userAgent` where that is known; a tablet is not mobile',
  },
} as const satisfies Readonly<Record<string, Field>>;

/** Every field that is stored and shown as given. */
export const plainFields = { ...guestFields, ...stayFields } as const;

export type PlainField = keyof typeof plainFields;

/** The members of `agent`, who sold the stay. */
export const agentFields = {
  company: { type: 'text', longest: 200, meaning: 'the agency, and the person' },
  name: { type: 'text', longest: 200, meaning: 'the agency, and the person' },
  email: { type: 'code', longest: 254, meaning: "the agent's" },
  phone: { type: 'phone', longest: 50, meaning: "the agent's" },
  agentCode: { type: 'code', longest: 100, meaning: "the agency's code, and its number in a CRM" },
  agentCrm: { type: 'code', longest: 100, meaning: "the agency's code, and its number in a CRM" },
} as const satisfies Readonly<Record<keyof Agent, Field>>;

/** The values of `fields` in `holder`; null for a missing one. */
export function valuesOf<Name extends string, Holder extends { readonly [Of in Name]?: unknown }>(
  fields: Readonly<Record<Name, Field>>,
  holder: Holder,
) {
  const names = Object.keys(fields) as Name[];
  const values = names.map((name) => [name, holder[name] ?? null]);
  return Object.fromEntries(values) as { [Of in Name]: NonNullable<Holder[Of]> | null };
}
