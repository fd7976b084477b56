/** Every route of the app, and a request that it takes. */
import { createApp } from '../../src/app.ts';
import { http } from './api.ts';

/** What looks at every request, and answers none that it lets through. */
export const guards: readonly string[] = [
  'ALL /*',
  'ALL /bank/v1/*',
  'ALL /guest/v1/*',
  'ALL /ops/*',
  'ALL /console/*',
  'ALL /console/sign-in',
  'ALL /console/passkey',
  'ALL /console/enter/:secret',
];

/** Every route of the app, each once: `GET /guest/v1/card`. */
export function allRoutes(): string[] {
  return [...new Set(createApp().routes.map(({ method, path }) => `${method} ${path}`))];
}

/** Every operation of the document, and the scope that it needs. */
export async function documentedOperations(): Promise<ReadonlyMap<string, string | undefined>> {
  const { paths } = (await (await http('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => [
        `${method.toUpperCase()} ${path}`,
        security?.[0]?.['oauth2']?.[0],
      ]),
    ),
  );
}

/** A request that a route takes, with its parameters filled in. */
export function sampleOf(route: string): { readonly method: string; readonly path: string } {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern
    .replace('/guest/theme/:colour', '/guest/theme/0b5cad')
    .replace('/guest/:file', '/guest/guest.css')
    .replace('/docs/:file', '/docs/docs.js')
    .replace('/docs/operations/*', '/docs/operations/payment/v1/create')
    .replace('/docs/messages/:name', '/docs/messages/ping')
    .replace('/docs/guides/:name', '/docs/guides/errors')
    .replace(':visit', '01998f00-0000-7000-8000-000000000000')
    .replace(':chargeId', '1')
    .replace(':id', '1')
    .replace('*', 'anything');
  return { method: method === 'ALL' ? 'GET' : method, path };
}
