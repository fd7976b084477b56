import type { AppContext } from '../../http/context.ts';
import { plainPage } from './frame.tsx';

/** Whether a request comes from somebody who reads pages, such as a browser with a mistyped address. */
export function readsPages(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  return isRead && (c.req.header('Accept') ?? '').includes('text/html');
}

/** The page of an address that leads nowhere (interface: The first page). */
export function noSuchPage(c: AppContext): Promise<Response> {
  c.set('failureCode', 'not_found');
  return plainPage(
    c,
    404,
    'There is no such page',
    <p>
      Please check the address. <a href="/">The first page</a> names what is here.
    </p>,
  );
}
