import type { Operation } from '../../http/openApiDocument.ts';
import type { Entry } from './document.ts';

/** How callers show who they are. */
type Access = 'bearer' | 'basic' | 'none';

export function accessOf({ security = [] }: Operation): Access {
  const names = security.flatMap((scheme) => Object.keys(scheme));
  if (names.includes('oauth2')) return 'bearer';
  return names.includes('basic') ? 'basic' : 'none';
}

export function command({ name, method, operation }: Entry, url: string, example: unknown): string {
  const query = (operation.parameters ?? [])
    .filter((one) => one.in === 'query' && typeof one.schema?.example === 'string')
    .map((one) => `${one.name}=${String(one.schema?.example)}`);
  const address = `${url}${name}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const access = {
    bearer: ['-H "Authorization: Bearer $TOKEN"'],
    basic: ['-u "$USERNAME:$PASSWORD"'],
    none: [],
  }[accessOf(operation)];
  const body =
    method === 'POST' && example !== undefined
      ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(example))}`]
      : [];
  return [`curl -sS ${quoted(address)}`, ...access, ...body].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
