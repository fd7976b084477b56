import { z } from '@hono/zod-openapi';
import { isCountry } from '../../core/countries.ts';
import { exponentOf } from '../../core/money.ts';
import { isTimeZone } from '../../core/time.ts';
import {
  CARD_NUMBER,
  code,
  cost,
  flag,
  identifier,
  isNoCardIdentifier,
  name,
  wholeNumber,
} from '../../http/fields.ts';
import type { SchemaParameters } from '../../http/readRequest.ts';
import { named } from '../../platform/views.ts';
import { policySchema } from '../../records/policies/views.ts';
import { policyBody } from '../bookings/policySchemas.ts';
import { publicAddress } from '../events/schemas.ts';
import { planTemplatesAnswer, planTemplatesBody } from '../plans/templates.ts';
import {
  brandingBody,
  cardRecovery,
  contactBody,
  guestMailsBody,
  guestSettingsAnswer,
  retentionBody,
} from './guestSettingsSchemas.ts';

/** A rate of a card fee. */
export const basisPoints = wholeNumber(0, 5_000);

export const country = z
  .string()
  .refine(isCountry, 'Use two capital letters, as ISO 3166-1 has them.')
  .openapi({ pattern: '^[A-Z]{2}$', example: 'AU' });

const feeLaw = z.enum(['off', 'warn', 'enforce']);
const overchargeGuard = z.enum(['off', 'warn', 'refuse']);

/** The body of `property/put`. Local services also allow PMSs on loopback addresses. */
export function propertyBody({ exponent, local }: SchemaParameters) {
  return z
    .object({
      property: identifier,
      name: name(200).openapi({ example: 'Demo Property' }).describe('guests and mails see it'),
      site: z
        .string()
        .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, 'Use a host name.')
        .refine(isNoCardIdentifier, CARD_NUMBER)
        .openapi({ example: 'demo.localhost' })
        .describe('the host name of the booking site'),
      currency: z
        .string()
        .refine((code) => exponentOf(code) !== null, 'Use an ISO 4217 currency code.')
        .openapi({ example: 'AUD' })
        .describe('ISO 4217 code; fixed once the property has bookings or applications'),
      timeZone: z
        .string()
        .refine(isTimeZone, 'Use an IANA time zone.')
        .openapi({ example: 'Australia/Perth' })
        .describe('IANA time zone'),
      portfolio: identifier.optional().describe('whose exports it belongs to; `default` at first'),
      cardFeeBasisPoints: basisPoints
        .optional()
        .describe('card fee: 150 is 1.5 % of the charge; 0 at first'),
      cardFeeByBrand: z
        .record(z.string().regex(/^[a-z]{2,20}$/), basisPoints)
        .optional()
        .describe('by brand: `{"amex": 250}`'),
      transactionFee: cost(exponent).optional().describe('fixed fee per charge; 0 at first'),
      refundLimit: cost(exponent)
        .nullish()
        .describe(
          'the most that a cashier refunds of a booking in a day; `null`, nothing, at first',
        ),
      country: country.optional().describe('where it is, as ISO 3166-1; none at first'),
      feeLaw: feeLaw.optional().describe('see Surcharge law'),
      overchargeGuard: overchargeGuard
        .optional()
        .describe('what is done about charges of more than is due; `warn` at first'),
      duplicateWindowSeconds: wholeNumber(0, 86_400)
        .optional()
        .describe('how long a charge like an earlier one is refused; 0 at first'),
      keepSchedulesOnCancellation: flag('`false` at first'),
      cardRecovery: cardRecovery
        .optional()
        .describe('how guests are asked for another card; `null`, never, at first: see Recovery'),
      cancellationPolicy: policyBody(exponent)
        .nullish()
        .describe('of bookings that come without one; `null`, none, at first'),
      guestCancellation: flag('whether guests may cancel on their page; `false` at first'),
      stripeAccount: z
        .string()
        .regex(/^acct_[A-Za-z0-9]{1,64}$/)
        .refine(isNoCardIdentifier, CARD_NUMBER)
        .optional()
        .describe("the property's own account, `acct_…`: see Accounts"),
      bookingsFromPms: flag('whether the PMS knows saved bookings already; `false` at first'),
      channelCode: code(50)
        .optional()
        .openapi({ example: 'WEB' })
        .describe('the property as a channel, for its PMS; at first from `site`'),
      contact: contactBody.describe('how guests reach it; empty at first'),
      planTemplates: planTemplatesBody(exponent)
        .optional()
        .describe('terms of payment plans under a name; none at first: see Templates'),
      guestMails: guestMailsBody.describe('which mails guests get: see Mails to guests'),
      branding: brandingBody.describe('how it looks to guests; empty at first'),
      retention: retentionBody.describe('what is let go of by itself; nothing at first'),
      pms: pmsBody(local).optional().describe('how to reach its PMS'),
      database: code(64)
        .optional()
        .openapi({ example: 'DB' })
        .describe('where it is to live, when it is new: see Databases'),
    })
    .transform(({ refundLimit, stripeAccount, transactionFee, ...details }) => ({
      ...details,
      merchantAccount: stripeAccount,
      transactionFeeMinor: transactionFee,
      refundLimitMinor: refundLimit,
    }));
}

function pmsBody(local: boolean) {
  return z.object({
    url: publicAddress(local)
      .openapi({ example: 'https://pms.hotel.com/messages' })
      .describe('see Addresses'),
    username: code(200).describe(
      'what the PMS knows the service by; the password is kept encrypted',
    ),
    password: code(200).describe(
      'what the PMS knows the service by; the password is kept encrypted',
    ),
    transactionFormat: z.enum(['JSON', 'XML']).optional().describe('`JSON` at first'),
    namespace: code(500).optional().describe('of XML messages'),
  });
}

/** A property for administrators: everything except passwords. */
export const propertySchema = named('Property', {
  property: z.string().describe('its identifier'),
  database: z.string().describe('where it lives'),
  name: z.string().describe('guests and mails see it'),
  site: z.string().describe('the host name of the booking site'),
  currency: z.string().describe('ISO 4217 code'),
  timeZone: z.string().describe('IANA time zone'),
  portfolio: z.string().describe('whose exports it belongs to'),
  cardFeeBasisPoints: z.int().describe('card fee: 150 is 1.5 % of the charge'),
  cardFeeByBrand: z.record(z.string(), z.int()).describe('by brand: `{"amex": 250}`'),
  transactionFee: z.number().describe('fixed fee per charge'),
  refundLimit: z
    .number()
    .nullable()
    .describe('the most that a cashier refunds of a booking in a day'),
  country: z.string().nullable().describe('where it is, as ISO 3166-1'),
  feeLaw: feeLaw.describe('see Surcharge law'),
  overchargeGuard: overchargeGuard.describe('what is done about charges of more than is due'),
  duplicateWindowSeconds: z.int().describe('how long a charge like an earlier one is refused'),
  keepSchedulesOnCancellation: z
    .boolean()
    .describe('whether a cancellation leaves schedules and holds'),
  cardRecovery: cardRecovery.describe('how guests are asked for another card: see Recovery'),
  cancellationPolicy: z
    .union([policySchema, z.null()])
    .describe('of bookings that come without one: see Cancellation policy'),
  guestCancellation: z.boolean().describe('whether guests may cancel on their page'),
  stripeAccount: z
    .string()
    .nullable()
    .describe("the property's own account, `acct_…`: see Accounts"),
  bookingsFromPms: z.boolean().describe('whether the PMS knows saved bookings already'),
  channelCode: z.string().describe('the property as a channel, for its PMS'),
  planTemplates: planTemplatesAnswer.describe('terms of payment plans under a name'),
  ...guestSettingsAnswer,
  pms: z
    .object({
      url: z.string().describe('see Addresses'),
      username: z
        .string()
        .describe('what the PMS knows the service by; the password is kept encrypted'),
      transactionFormat: z.enum(['JSON', 'XML']).describe('of `PushTransaction`'),
      namespace: z.string().nullable().describe('of XML messages'),
    })
    .nullable()
    .describe('how to reach its PMS'),
});
