import { failure } from '../core/failure.ts';
import type { Api } from '../http/operation.ts';
import { problemResponse } from '../http/problem.ts';
import { selectMail } from './store.ts';

/** How many messages are shown. */
const MOST_SHOWN = 50;

/** `GET /dev/mailbox`: what a local start would have sent by e-mail, newest first; a page, or JSON for who accepts that. */
export function registerLocalMailbox(api: Api): void {
  api.get('/dev/mailbox', async (c) => {
    if (!c.get('config').local) {
      const nothing = failure('not_found', 'There is nothing at this address.');
      return problemResponse(c, nothing, { requestId: c.get('requestId') });
    }
    const database = c.get('database');
    const [rows] = await database.batch('d1.mail.read', [selectMail(database.queries, MOST_SHOWN)]);
    if (c.req.header('Accept')?.includes('application/json')) {
      return c.json({ success: true, messages: rows });
    }
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    return c.html(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>Mailbox of this machine</title>
        </head>
        <body>
          <h1>Mailbox of this machine</h1>
          {rows.length === 0 && <p>Nothing was sent yet.</p>}
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

/** A text with its addresses as links. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (part.startsWith('http') ? <a href={part}>{part}</a> : part));
}
