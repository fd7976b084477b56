import { getPath } from 'hono/utils/url';

/** Older notations of operations, in lower case, and the paths that they mean. */
const OLDER_NOTATIONS: ReadonlyMap<string, string> = new Map([
  ['/booking/v1/create/managepayments', '/booking/v1/create/manage-payments'],
]);

/** The path that routes are matched by: without regard to case, and of an older notation today's (interface: Requests). */
export function routedPath(request: Request): string {
  const path = getPath(request).toLowerCase();
  return OLDER_NOTATIONS.get(path) ?? path;
}
