/**
 * The records of the exports as documented (exports: Property-system file), written down independently of the
 * code that makes them: every field, its type, and that nothing else is there.
 */
import { z } from 'zod';

const text = z.string().nullable();
const integer = z.int().nullable();
const float = z.number().nullable();
const flag = z.boolean().nullable();
const date = z.iso.date().nullable();
const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .nullable();

const gender = z
  .enum([
    'Male',
    'Female',
    'Transgender male/Transman/FTM',
    'Transgender female/Transwoman/MTF',
    'Gender Queer',
    'Non-Binary',
    'Other',
    'Decline to answer',
  ])
  .nullable();

const booking = z.strictObject({
  bookingId: integer,
  bookingType: z.enum(['Online', 'Offline', 'Renewal']),
  applicationNumber: text,
  arrival: date,
  departure: date,
  weeksDuration: float,
  nightsDuration: integer,
  currentStatus: z.enum(['Tentative', 'Held', 'Reserved', 'In Room', 'History', 'Cancelled']),
  applicationTime: time,
  heldTime: time,
  reservedTime: time,
  inRoomTime: time,
  historyTime: time,
  cancelledTime: time,
  currency: text,
  weeklyRate: float,
  total: float,
  inAustralia: flag,
  ageOnArrival: integer,
  under18: flag,
  roomType: text,
  rateType: text,
  residents: integer,
  university: text,
  courseName: text,
  userAgent: text,
  isMobile: flag,
  isTablet: flag,
});

/** One line of the property-system file (exports: Property-system file). */
export const propertySystemLine = z.strictObject({
  entryId: integer,
  property: text,
  gender,
  nationality: text,
  city: text,
  state: text,
  country: text,
  internationalStudent: flag,
  nonStudent: flag,
  bookings: z.array(booking).min(1),
  agent: z.strictObject({ company: text, name: text, agentCode: text, agentCrm: text }).nullable(),
});

/** One line of the application-console file (exports: Application-console file). */
export const applicationConsoleLine = z.strictObject({
  applicationNumber: z.string(),
  email: z.string(),
  contactId: z.int(),
  property: text,
  gender,
  nationality: text,
  city: text,
  state: text,
  country: text,
  internationalStudent: flag,
  nonStudent: flag,
  bookingType: z.literal('Online'),
  arrival: date,
  departure: date,
  weeksDuration: integer,
  nightsDuration: integer,
  currentStatus: z.enum([
    'Tentative',
    'Offered',
    'Held',
    'Reserved',
    'In Room',
    'History',
    'Cancelled',
  ]),
  applicationTime: time,
  heldTime: time,
  reservedTime: time,
  inRoomTime: time,
  historyTime: time,
  cancelledTime: time,
  currency: text,
  weeklyRate: float,
  total: float,
  inAustralia: flag,
  ageOnArrival: integer,
  under18: flag,
  roomType: text,
  rateType: text,
  residents: integer,
  university: text,
  courseName: text,
  userAgent: text,
  isMobile: flag,
  isTablet: flag,
  agent: z
    .strictObject({
      company: text,
      name: text,
      email: text,
      phone: text,
      agentCode: text,
      agentCrm: text,
    })
    .nullable(),
  tenantApplications: z.array(
    z.strictObject({
      tenantApplicationId: z.uuid(),
      tenantApplicationProcessId: z.uuid().nullable(),
      status: text,
      applicants: z.array(
        z.strictObject({ tenantApplicationApplicantId: z.string(), contactId: integer }),
      ),
      createdDateTime: time,
      lastUpdatedDateTime: time,
    }),
  ),
});

/** One line of the ledger file (exports: Ledger file). */
export const ledgerLine = z.strictObject({
  postingId: z.string(),
  entryId: z.string(),
  property: z.string(),
  date: z.iso.date(),
  time: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
  account: z.enum([
    'guests',
    'bonds',
    'surcharges',
    'acquirer',
    'acquirer-fees',
    'bank',
    'disputed',
  ]),
  side: z.enum(['debit', 'credit']),
  amount: z.string().regex(/^\d+(?:\.\d+)?$/),
  currency: z.string().length(3),
  bookingReference: z.string().nullable(),
  chargeId: z.int().nullable(),
  refundId: z.int().nullable(),
  disputeId: z.string().nullable(),
  disbursementId: z.string().nullable(),
  description: z.string(),
});

export type LedgerLine = z.infer<typeof ledgerLine>;
