import { IntlMessageFormat } from 'intl-messageformat';

/**
 * The messages of a language as the Worker reads them: those with arguments as the JSON of their syntax trees, so that the
 * parser stays out of the bundle.
 */
export function parsedMessages(messages: unknown): unknown {
  if (typeof messages !== 'string') {
    const entries = Object.entries(messages ?? {});
    return Object.fromEntries(entries.map(([name, inner]) => [name, parsedMessages(inner)]));
  }
  if (!messages.includes('{')) return messages;
  const parsed = new IntlMessageFormat(messages, 'en', undefined, { ignoreTag: true });
  return JSON.stringify(parsed.getAst());
}
