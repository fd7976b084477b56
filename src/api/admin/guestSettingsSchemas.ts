import { z } from '@hono/zod-openapi';
import { fieldIssue } from '../../core/failure.ts';
import { bodyCheck } from '../../http/bodyCheck.ts';
import {
  CARD_NUMBER,
  code,
  email,
  isNoCardIdentifier,
  isText,
  lines,
  phone,
  readText,
  wholeNumber,
} from '../../http/fields.ts';

/** The address of a page that guests and their mail programs open. */
const pageUrl = z
  .url({ protocol: /^https?$/, hostname: z.regexes.domain, error: 'Use an http or https address.' })
  .max(2_000)
  .refine(isNoCardIdentifier, CARD_NUMBER)
  .refine((url) => !/\p{Cc}/u.test(url) && !hasUserInfo(url), {
    error: 'Use an address without control characters, user name and password.',
    when: isText,
  })
  .openapi({ format: 'uri', example: 'https://www.hotel.com/terms' });

/** Whether an address has something before its host that looks like another host. */
function hasUserInfo(url: string): boolean {
  return /^https?:[/\\]*[^/\\?#]*@/i.test(url);
}

/** The address of a picture in a page: pages and mails are secure, so it is https. */
const pictureUrl = pageUrl.refine((url) => url.startsWith('https:'), {
  error: 'Use an https address.',
  when: isText,
});

const EMAIL = "where answers to mails go, and the property's daily digest";

/** How guests reach a property (interface: Put a property). */
export const contactBody = z
  .object({
    email: email.nullish().describe(EMAIL),
    phone: phone(50).nullish().describe('for guests'),
    address: lines(500).nullish().describe('postal address; may have line feeds'),
    website: pageUrl.nullish().describe('`http` or `https`'),
    termsUrl: pageUrl.nullish().describe('`http` or `https`'),
    taxId: code(50).nullish().describe('stands on receipts'),
  })
  .nullish();

/** A language tag of BCP 47, in its canonical form. */
const languageTag = readText(
  canonicalTag,
  'invalid',
  'Use a language tag such as en or zh-Hans.',
  z.string().max(35),
).openapi({ example: 'en' });

function canonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

const wish = z.boolean().nullable().describe('see Mails to guests');

/** Which mails guests get (interface: Mails). */
export const guestMailsBody = z
  .object({
    receipts: wish.optional(),
    refunds: wish.optional(),
    failedPayments: wish.optional(),
    languages: z
      .array(languageTag)
      .max(20)
      .nullish()
      .describe('tags of BCP 47; the first one that the service writes counts, else English'),
  })
  .nullish();

/** How a property looks to guests. */
export const brandingBody = z
  .object({
    logoUrl: pictureUrl.nullish().describe("`https`; stands on the guest's pages"),
    colour: z
      .string()
      .regex(/^#[0-9A-Fa-f]{6}$/, 'Use a colour as #rrggbb.')
      .nullish()
      .describe("`#rrggbb`, of the guest's pages; adjusted where it could not be read"),
  })
  .nullish();

/** After how many days the service lets go of something; null for never. */
const days = wholeNumber(0, 36_500).nullable();

const ERASES = 'days after which guests are erased: see Retention';
const ARCHIVES = 'days after which bookings are archived: see Retention';

/** How long what a property does not need any more is kept (interface: Retention). */
export const retentionBody = z
  .object({
    eraseGuestsAfterDays: days.optional().describe(ERASES),
    archiveAfterDays: days.optional().describe(ARCHIVES),
  })
  .nullish();

/** Three months, the most that anybody plans ahead. */
const MOST_DAYS = 90;

const MOST_HOURS = 720;

const SHORT_IS_LONGER = fieldIssue(
  'shortDeadlineHours',
  'invalid_value',
  'Use at most deadlineHours.',
);

/** How a property asks guests for another card (interface: Recovery). */
export const cardRecovery = z
  .object({
    askDaysBefore: wholeNumber(0, MOST_DAYS)
      .openapi({ example: 14 })
      .describe('how many days before a schedule its guest is asked, where the card expires'),
    deadlineHours: wholeNumber(1, MOST_HOURS)
      .openapi({ example: 24 })
      .describe('until when an answer counts, from the first reminder on'),
    shortDeadlineHours: wholeNumber(1, MOST_HOURS)
      .openapi({ example: 12 })
      .describe('the same where arrival is nearer; at most `deadlineHours`'),
    maxAsks: wholeNumber(1, 10)
      .openapi({ example: 3 })
      .describe('how often the guest is asked for one schedule, at most'),
    // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is a text, no function.
    then: z
      .enum(['none', 'flag'])
      .describe('after the deadline: nothing, or the event `recovery.flagged`'),
  })
  .check(
    bodyCheck(
      ({ deadlineHours, shortDeadlineHours }) =>
        Number(shortDeadlineHours) > Number(deadlineHours) ? [SHORT_IS_LONGER] : [],
      ['deadlineHours', 'shortDeadlineHours'],
    ),
  )
  .nullable()
  .openapi('CardRecovery');

const shown = (meaning: string) => z.string().nullable().describe(meaning);

export const guestSettingsAnswer = {
  contact: z
    .object({
      email: shown(EMAIL),
      phone: shown('for guests'),
      address: shown('postal address; may have line feeds'),
      website: shown('`http` or `https`'),
      termsUrl: shown('`http` or `https`'),
      taxId: shown('stands on receipts'),
    })
    .describe('how guests reach it'),
  guestMails: z
    .object({
      receipts: wish,
      refunds: wish,
      failedPayments: wish,
      languages: z.array(z.string()).readonly().nullable().describe('tags of BCP 47'),
    })
    .describe('which mails guests get: see Mails to guests'),
  branding: z
    .object({
      logoUrl: shown("stands on the guest's pages"),
      colour: shown("`#rrggbb`, of the guest's pages"),
    })
    .describe('how it looks to guests'),
  retention: z
    .object({
      eraseGuestsAfterDays: days.describe(ERASES),
      archiveAfterDays: days.describe(ARCHIVES),
    })
    .describe('what is let go of by itself'),
};
