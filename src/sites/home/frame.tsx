import type { Child } from 'hono/jsx';
import type { AppContext } from '../../http/context.ts';
import { Head } from '../web/head.tsx';
import { page, pagePolicy } from '../web/page.ts';

/** A page that belongs to no property: a heading, and what is below it. */
export function plainPage(
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
