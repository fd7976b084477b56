import type { MailContent } from '../platform/mail/layout.tsx';
import type { PropertyRow } from '../schema/propertyTables.ts';
import { mailReader } from './rules/facts.ts';

/** Tells in one mail what several would have told, in the order of `told`. */
export function summary(property: PropertyRow, told: readonly MailContent[]): MailContent {
  const reader = mailReader(property);
  const texts = reader.words.mails.summary;
  return {
    language: reader.language,
    subject: texts.subject({ property: property.name }),
    heading: texts.heading,
    opening: [texts.opening({ property: property.name })],
    lists: told.map(({ action, closing = [], facts = [], heading, opening, sum = [] }) => ({
      heading,
      items: [
        ...opening,
        ...(action ? [`${action.label}: ${action.url}`] : []),
        ...[...facts, ...sum].map(({ name, value }) => `${name}: ${value}`),
        ...closing,
      ],
    })),
  };
}
