/** Ways of writing an address and a method: some mean an operation, most mean nothing. */
import * as fc from 'fast-check';

/** Older notations of operations (interface: Requests). */
const OLDER: Readonly<Record<string, string>> = {
  '/booking/v1/create/manage-payments': '/Booking/v1/Create/ManagePayments',
};

/** Another way of writing a path that means the same operation: in other cases, or in its older notation. */
export function otherWriting(path: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(path, OLDER[path] ?? path), fc.infiniteStream(fc.boolean()))
    .map(([written, upper]) =>
      Array.from(written, (one) => {
        return upper.next().value ? one.toUpperCase() : one.toLowerCase();
      }).join(''),
    );
}

/** The path of the operation that a path means, if it means one. */
export function meaningOf(written: string): string {
  const path = written.toLowerCase();
  const older = Object.entries(OLDER).find(([, one]) => one.toLowerCase() === path);
  return older?.[0] ?? path;
}

/** Changes after which a path means no operation. */
const changes: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.slice(0, -1),
  (path) => `${path}/x`,
  (path) => `${path}.json`,
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}%2e%2e`,
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}%c0%af`,
  (path) => `${path}\u212a`,
  (path) => path.replace('/v1/', '/v0/'),
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/v%31/x/'),
  (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
  (path) => path.replaceAll('-', '_').concat('_'),
  (path) => path + '/..%5c..%5c'.repeat(20),
  (path) => path + '/a'.repeat(2_000),
  () => '/%',
  () => '/*',
  () => '/:visit',
  () => '/v1',
];

/** A path near that of an operation that means none. */
export function wrongPath(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...changes).map((change) => change(path)) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: 'binary', maxLength: 40 })
        .map((text) => `/x${encodeURIComponent(text.toWellFormed())}${path}`),
    },
  );
}

/** Methods that reach the Worker: the platform refuses `TRACE`, `CONNECT` and those that it does not know. */
export const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'LOCK',
  'MKCOL',
] as const;
