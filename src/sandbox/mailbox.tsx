import { desc, eq, lt } from 'drizzle-orm';
import { zonedInstant } from '../core/format.ts';
import { pick } from '../core/pick.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse, routeNotFound } from '../http/problem.ts';
import { queries } from '../platform/db/database.ts';
import { localMailbox, type MailboxRow } from '../schema/mailTables.ts';
import { Head, LinkLine, page, pagePolicy } from '../sites/web/page.tsx';

const PATH = '/dev/mailbox';

const MOST_SHOWN = 50;

/**
 * `GET /dev/mailbox`: the e-mails of a local start, newest first, as a page or, by `Accept`, as JSON. `before` is the id
 * of the mail that a page goes on after.
 */
export function registerLocalMailbox(api: Api): void {
  api.get(PATH, async (c) => {
    if (!c.get('config').local) return problemResponse(c, routeNotFound());
    const before = Number(c.req.query('before') ?? Number.NaN);
    const older = Number.isNaN(before) ? undefined : lt(localMailbox.id, before);
    const newest = queries.select().from(localMailbox).where(older).orderBy(desc(localMailbox.id));
    const [rows] = await c.get('database').batch('d1.mail.read', [newest.limit(MOST_SHOWN)]);
    if (c.req.header('Accept')?.includes('application/json')) {
      return c.json({ success: true, messages: rows.map(message) });
    }
    c.header('Content-Security-Policy', pagePolicy(["frame-src 'self'"]));
    return page(c, 200, <Mailbox rows={rows} />);
  });
  api.get(`${PATH}/:id`, (c) => showMail(c, Number(c.req.param('id'))));
}

function Mailbox({ rows }: { readonly rows: readonly MailboxRow[] }) {
  const last = rows.length < MOST_SHOWN ? undefined : rows.at(-1);
  return (
    <html lang="en">
      <Head title="Mailbox" style="/ops/ops.css" />
      <body>
        <header>
          <h1>Mailbox</h1>
        </header>
        <main>
          <p class="soft">The e-mails that a deployment would send, the newest first.</p>
          {rows.length === 0 && <p>There are no messages yet.</p>}
          {rows.map((row, index) => (
            <Mail row={row} isOpen={index === 0} />
          ))}
          {last && <LinkLine href={`${PATH}?before=${last.id}`} text="Older messages" />}
        </main>
      </body>
    </html>
  );
}

/** A mail as its reader sees it, and its text, whose links work here. */
function Mail({ row, isOpen }: { readonly row: MailboxRow; readonly isOpen: boolean }) {
  const { atMs, id, recipient, subject, text } = row;
  return (
    <article class="mail">
      <details open={isOpen}>
        <summary>
          <strong>{subject}</strong> to {recipient}, {zonedInstant(atMs, 'UTC')}
        </summary>
        <iframe
          title={`${subject}, to ${recipient}`}
          src={`${PATH}/${id}`}
          sandbox="allow-top-navigation-by-user-activation"
          loading="lazy"
        ></iframe>
        <pre>{linked(text)}</pre>
      </details>
    </article>
  );
}

/** Shows the HTML of a mail, for a frame of the mailbox: it runs nothing, and its links lead out of the frame. */
async function showMail(c: AppContext, id: number): Promise<Response> {
  if (!c.get('config').local) return problemResponse(c, routeNotFound());
  const one = queries.select().from(localMailbox).where(eq(localMailbox.id, id));
  const [[row]] = await c.get('database').batch('d1.mail.read', [one]);
  if (!row) return c.notFound();
  c.header(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation",
  );
  return c.html(row.html.replace('<head>', '<head><base target="_top">'));
}

function message({ id, recipient, sender, atMs, ...content }: MailboxRow) {
  return {
    id,
    to: recipient,
    from: sender,
    ...pick(content, 'replyTo', 'subject', 'text', 'html'),
    at: new Date(atMs).toISOString(),
  };
}

/** Turns the URLs in a text into links. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (part.startsWith('http') ? <a href={part}>{part}</a> : part));
}
