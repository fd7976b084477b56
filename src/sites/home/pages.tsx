import type { Child } from 'hono/jsx';
import type { AppContext } from '../../http/context.ts';
import type { Api } from '../../http/operation.ts';
import { Head, LinkLine, page, pagePolicy } from '../web/page.tsx';

/** A page that belongs to no property: a heading, and what is below it. */
function plainPage(
  c: AppContext,
  status: number,
  heading: string,
  children: Child,
): Promise<Response> {
  c.header('Content-Security-Policy', pagePolicy());
  return page(
    c,
    status,
    <html lang="en">
      <Head title={heading} style="/ops/ops.css" />
      <body>
        <header>
          <h1>{heading}</h1>
        </header>
        <main>{children}</main>
      </body>
    </html>,
  );
}

/** What is here for everybody, and on a developer's machine besides. */
const EVERYWHERE = [
  ['/docs', 'Documentation', 'guides, and every operation to read and to try'],
  ['/openapi.json', 'OpenAPI file', 'the operations, for programs'],
  ['/console', 'Console', 'for the staff of properties'],
  ['/health', 'Health', 'service status'],
] as const;

const LOCALLY = [
  ['/ops', 'Operations page', 'payments, messages and exports at a glance'],
  ['/dev/mailbox', 'Mailbox', 'the e-mails that a deployment would send'],
] as const;

/** `GET /`: a page that names what is here (interface: The first page). It reads nothing. */
export function registerHome(api: Api): void {
  api.get('/', (c) => {
    const links = c.get('config').local ? [...EVERYWHERE, ...LOCALLY] : EVERYWHERE;
    return plainPage(
      c,
      200,
      'Bookings and payments',
      <ul>
        {links.map(([path, name, meaning]) => (
          <li>
            <a href={path}>{name}</a>: {meaning}
          </li>
        ))}
      </ul>,
    );
  });
}

/** Whether a request comes from somebody who reads pages, such as a browser with a mistyped address. */
export function readsPages(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  return isRead && (c.req.header('Accept') ?? '').includes('text/html');
}

/** The page of an address that leads nowhere (interface: The first page). */
export function noSuchPage(c: AppContext): Promise<Response> {
  c.set('failureCode', 'not_found');
  return plainPage(c, 404, 'Page not found', <LinkLine href="/" text="Go to the home page." />);
}
