import { desc } from 'drizzle-orm';
import type { Api } from '../http/operation.ts';
import { problemResponse, routeNotFound } from '../http/problem.ts';
import { queries } from '../platform/db/database.ts';
import { localMailbox, type MailboxRow } from '../schema/mailTables.ts';

const MOST_SHOWN = 50;

/** `GET /dev/mailbox`: the e-mails of a local start, newest first, as a page or, by `Accept`, as JSON. */
export function registerLocalMailbox(api: Api): void {
  api.get('/dev/mailbox', async (c) => {
    if (!c.get('config').local) {
      return problemResponse(c, routeNotFound());
    }
    const database = c.get('database');
    const newest = queries.select().from(localMailbox).orderBy(desc(localMailbox.id));
    const [rows] = await database.batch('d1.mail.read', [newest.limit(MOST_SHOWN)]);
    if (c.req.header('Accept')?.includes('application/json')) {
      return c.json({ success: true, messages: rows.map(message) });
    }
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return c.html(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>Local mailbox</title>
        </head>
        <body>
          <h1>Local mailbox</h1>
          {rows.length === 0 && <p>There are no messages yet.</p>}
          {rows.map(({ recipient, subject, text, atMs }) => (
            <article>
              <h2>{subject}</h2>
              <p>
                To {recipient}, {new Date(atMs).toISOString()}
              </p>
              <pre>{linked(text)}</pre>
            </article>
          ))}
        </body>
      </html>,
    );
  });
}

function message({ recipient, sender, replyTo, subject, text, html, atMs }: MailboxRow) {
  return {
    to: recipient,
    from: sender,
    replyTo,
    subject,
    text,
    html,
    at: new Date(atMs).toISOString(),
  };
}

/** Turns the URLs in a text into links. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (part.startsWith('http') ? <a href={part}>{part}</a> : part));
}
