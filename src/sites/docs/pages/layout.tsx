import type { Child } from 'hono/jsx';
import { Head, type Tab } from '../../web/page.tsx';

/** Links beside a page, by their headings. */
export type SideList = readonly { readonly heading: string; readonly links: readonly Tab[] }[];

/** The frame of every page of the documentation. */
export function DocsLayout(page: {
  readonly title: string;
  /** Whether it is the page that lists all operations. */
  readonly isFirst?: boolean;
  /** Whether something can be tried on the page. */
  readonly script?: boolean;
  readonly side: SideList;
  readonly query?: string;
  readonly children?: Child;
}) {
  const { title, isFirst = false, script = false, side, query = '', children } = page;
  return (
    <html lang="en">
      <Head title={isFirst ? title : `${title} – the interface`} style="/docs/docs.css">
        {script && <script src="/docs/docs.js" defer></script>}
      </Head>
      <body>
        <header>
          <h1>{title}</h1>
          <search>
            <form method="get" action="/docs" class="actions">
              <input name="q" aria-label="Search the documentation" value={query} />
              <button type="submit">Search</button>
            </form>
          </search>
        </header>
        <div class="beside">
          <nav aria-label="Documentation">
            <ul>
              <li>
                <a href="/docs">All operations</a>
              </li>
              <li>
                <a href="/openapi.json">OpenAPI file</a>
              </li>
            </ul>
            {side.map(({ heading, links }) => (
              <details open>
                <summary>{heading}</summary>
                <ul>
                  {links.map(({ href, isCurrent, name }) => (
                    <li>
                      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                        {name}
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          </nav>
          <main>{children}</main>
        </div>
      </body>
    </html>
  );
}

/** A text of the document: text between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
  );
}

/** A paragraph of a text of the document. */
export function ProseLine({ text }: { readonly text: string }) {
  return (
    <p>
      <Prose text={text} />
    </p>
  );
}

/** Text that keeps its lines, and scrolls sideways, also by keyboard. */
export function Lines({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <section class="scroll" aria-label={name} tabindex={0}>
      <pre>{text}</pre>
    </section>
  );
}
