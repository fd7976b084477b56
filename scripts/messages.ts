import { IntlMessageFormat } from 'intl-messageformat';
import { partsOf } from '../src/core/words/parts.ts';

/**
 * The messages of a language as the Worker reads them: those with arguments as lists, so that the parser stays out of the
 * bundle.
 */
export function parsedMessages(messages: unknown): unknown {
  if (typeof messages !== 'string') {
    const entries = Object.entries(messages ?? {});
    return Object.fromEntries(entries.map(([name, inner]) => [name, parsedMessages(inner)]));
  }
  if (!messages.includes('{')) return messages;
  const parsed = new IntlMessageFormat(messages, 'en', undefined, { ignoreTag: true });
  return partsOf(parsed.getAst());
}
