import type { OpenApiDocument } from '../../http/openApiDocument.ts';
import { bodyOf, type Entry, entriesOf } from './document.ts';
import { membersOf } from './members.ts';

/** The operations and messages that have every word of a query: those that have it in their name or summary first. */
export function found(document: OpenApiDocument, query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const entries = entriesOf(document);
  const first = entries.filter(({ name, operation }) => has(`${name} ${operation.summary ?? ''}`));
  const others = entries.filter((entry) => !first.includes(entry) && has(textOf(entry, document)));
  return words.length === 0 ? [] : [...first, ...others];
}

/** All that a page says of an operation and of the members of its body. */
function textOf({ name, operation }: Entry, { components }: OpenApiDocument): string {
  const schema = bodyOf(operation)?.schema;
  const members = schema ? membersOf(schema, components.schemas) : [];
  return [
    name,
    operation.summary,
    operation.description,
    ...members.flatMap(({ description, path }) => [path, description]),
  ].join(' ');
}
