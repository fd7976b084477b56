import { z } from '@hono/zod-openapi';
import { CARD_NUMBER, code, email, isNoCardIdentifier, lines, phone } from '../../http/fields.ts';

/** The address of a page that guests and their mail programs open. */
const pageUrl = z
  .url({ protocol: /^https?$/, hostname: z.regexes.domain, error: 'Use an http or https address.' })
  .max(2_000, { abort: true })
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .refine(
    (url) => !/\p{Cc}/u.test(url) && !hasUserInfo(url),
    'Use an address without control characters, user name and password.',
  )
  .openapi({ format: 'uri', example: 'https://www.hotel.com/terms' });

/** Whether an address has something before its host that looks like another host. */
function hasUserInfo(url: string): boolean {
  return /^https?:[/\\]*[^/\\?#]*@/i.test(url);
}

/** The address of a picture in a page: pages and mails are secure, so it is https. */
const pictureUrl = pageUrl.refine((url) => url.startsWith('https:'), 'Use an https address.');

/** How guests reach a property (interface: Put a property). */
export const contactBody = z
  .object({
    email: email.nullable().optional(),
    phone: phone(50).nullable().optional(),
    address: lines(500).nullable().optional(),
    website: pageUrl.nullable().optional(),
    termsUrl: pageUrl.nullable().optional(),
    taxId: code(50).nullable().optional(),
  })
  .nullable()
  .optional();

/** A language tag of BCP 47, in its canonical form. */
const languageTag = z
  .string()
  .max(35, { abort: true })
  .transform((tag, context) => {
    const canonical = canonicalTag(tag);
    if (canonical !== null) return canonical;
    context.addIssue({ code: 'custom', message: 'Use a language tag such as en or zh-Hans.' });
    return z.NEVER;
  })
  .openapi({ example: 'en' });

function canonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** Which mails guests get (interface: Mails). */
export const guestMailsBody = z
  .object({
    receipts: z.boolean().nullable().optional(),
    refunds: z.boolean().nullable().optional(),
    failedPayments: z.boolean().nullable().optional(),
    languages: z.array(languageTag).max(20).nullable().optional(),
  })
  .nullable()
  .optional();

/** How a property looks to guests. */
export const brandingBody = z
  .object({
    logoUrl: pictureUrl.nullable().optional(),
    colour: z
      .string()
      .regex(/^#[0-9A-Fa-f]{6}$/, 'Use a colour as #rrggbb.')
      .nullable()
      .optional(),
  })
  .nullable()
  .optional();

/** The same settings in an answer. */
export const guestSettingsAnswer = {
  contact: z.object({
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.string().nullable(),
    website: z.string().nullable(),
    termsUrl: z.string().nullable(),
    taxId: z.string().nullable(),
  }),
  guestMails: z.object({
    receipts: z.boolean().nullable(),
    refunds: z.boolean().nullable(),
    failedPayments: z.boolean().nullable(),
    languages: z.array(z.string()).nullable(),
  }),
  branding: z.object({ logoUrl: z.string().nullable(), colour: z.string().nullable() }),
};
