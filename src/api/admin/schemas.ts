import { z } from '@hono/zod-openapi';
import { isCountry } from '../../core/countries.ts';
import { exponentOf, toMinor } from '../../core/money.ts';
import { isTimeZone } from '../../core/time.ts';
import { isAllowedAddress } from '../../delivery/rules/address.ts';
import {
  CARD_NUMBER,
  code,
  identifier,
  isNoCardIdentifier,
  name,
  rawAmount,
} from '../../http/fields.ts';
import { pageFields } from '../../http/listFields.ts';
import { cardRecovery } from './cardRecoverySchema.ts';
import {
  brandingBody,
  contactBody,
  guestMailsBody,
  guestSettingsAnswer,
} from './guestSettingsSchemas.ts';

/** A rate of a card fee. */
export const basisPoints = z.int().min(0).max(5_000);

/** A country's code. */
export const country = z
  .string()
  .refine(isCountry, 'Use two capital letters, as ISO 3166-1 has them.')
  .openapi({ pattern: '^[A-Z]{2}$', example: 'AU' });

const feeLaw = z.enum(['off', 'warn', 'enforce']);
const overchargeGuard = z.enum(['off', 'warn', 'refuse']);

/** The body of `property/put`. Local services also allow PMSs on loopback addresses. */
export function propertyBody(local: boolean) {
  return z
    .object({
      property: identifier,
      name: name(200).openapi({ example: 'Demo Property' }),
      site: z
        .string()
        .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, 'Use a host name.')
        .refine(isNoCardIdentifier, CARD_NUMBER)
        .openapi({ example: 'demo.localhost' }),
      currency: z
        .string()
        .refine((code) => exponentOf(code) !== null, 'Use an ISO 4217 currency code.')
        .openapi({ example: 'AUD' }),
      timeZone: z
        .string()
        .refine(isTimeZone, 'Use an IANA time zone.')
        .openapi({ example: 'Australia/Perth' }),
      portfolio: identifier.optional(),
      cardFeeBasisPoints: basisPoints.optional(),
      cardFeeByBrand: z.record(z.string().regex(/^[a-z]{2,20}$/), basisPoints).optional(),
      transactionFee: z.union([z.number(), z.string().regex(/^\d{1,12}(\.\d{1,6})?$/)]).optional(),
      refundLimit: rawAmount.nullable().optional(),
      country: country.optional(),
      feeLaw: feeLaw.optional(),
      overchargeGuard: overchargeGuard.optional(),
      duplicateWindowSeconds: z.int().min(0).max(86_400).optional(),
      keepSchedulesOnCancellation: z.boolean().optional(),
      cardRecovery: cardRecovery.optional(),
      stripeAccount: z
        .string()
        .regex(/^acct_[A-Za-z0-9]{1,64}$/)
        .refine(isNoCardIdentifier, CARD_NUMBER)
        .optional(),
      bookingsFromPms: z.boolean().optional(),
      channelCode: code(50).optional().openapi({ example: 'WEB' }),
      contact: contactBody,
      guestMails: guestMailsBody,
      branding: brandingBody,
      pms: pmsBody(local).optional(),
    })
    .transform(({ refundLimit, stripeAccount, transactionFee, ...details }, context) => {
      const exponent = exponentOf(details.currency) ?? 2;
      const read = (field: string, amount: number | string | null | undefined) => {
        if (amount === undefined || amount === null) return amount;
        const minor = toMinor(amount, exponent, 0);
        if (minor.ok) return minor.value;
        context.addIssue({
          code: 'custom',
          path: [field],
          params: { code: minor.error },
          message: 'Use an amount of 0 or more, with no more decimals than the currency.',
        });
        return z.NEVER;
      };
      return {
        ...details,
        merchantAccount: stripeAccount,
        transactionFeeMinor: read('transactionFee', transactionFee) ?? undefined,
        refundLimitMinor: read('refundLimit', refundLimit),
      };
    });
}

function pmsBody(local: boolean) {
  return z.object({
    url: z
      .string()
      .max(2_000, { abort: true })
      .refine(isNoCardIdentifier, CARD_NUMBER)
      .refine((url) => isAllowedAddress(url, local), {
        params: { code: 'address_not_allowed' },
        message: 'Use an https URL on port 443 with a public host name.',
      })
      .openapi({ example: 'https://pms.hotel.com/messages' }),
    username: code(200),
    password: code(200),
    transactionFormat: z.enum(['JSON', 'XML']).optional(),
    namespace: code(500).optional(),
  });
}

/** A property for administrators: everything except passwords. */
const propertySchema = z
  .object({
    property: z.string(),
    name: z.string(),
    site: z.string(),
    currency: z.string(),
    timeZone: z.string(),
    portfolio: z.string(),
    cardFeeBasisPoints: z.int(),
    cardFeeByBrand: z.record(z.string(), z.int()),
    transactionFee: z.number(),
    refundLimit: z.number().nullable(),
    country: z.string().nullable(),
    feeLaw,
    overchargeGuard,
    duplicateWindowSeconds: z.int(),
    keepSchedulesOnCancellation: z.boolean(),
    cardRecovery,
    stripeAccount: z.string().nullable(),
    bookingsFromPms: z.boolean(),
    channelCode: z.string(),
    ...guestSettingsAnswer,
    pms: z
      .object({
        url: z.string(),
        username: z.string(),
        transactionFormat: z.enum(['JSON', 'XML']),
        namespace: z.string().nullable(),
      })
      .nullable(),
  })
  .openapi('Property');

/** The answer of `property/get`. */
export const propertyAnswer = z.object({ success: z.literal(true), property: propertySchema });

/** The answer of `property/put`. */
export const putPropertyAnswer = propertyAnswer.extend({
  affectedSchedules: z
    .int()
    .optional()
    .describe(
      'Where the account changed: how many scheduled charges have to wait for a card of the new one.',
    ),
});

/** The body of `property/list`. */
export const propertiesBody = z.object({ portfolio: identifier.optional(), ...pageFields });

/** The answer of `property/list`. */
export const propertiesAnswer = z.object({
  success: z.literal(true),
  properties: z.array(propertySchema),
  nextCursor: z.string().nullable(),
});
