import type { Child } from 'hono/jsx';
import { Head } from '../../web/page.tsx';

/** The frame of every page of the documentation. */
export function DocsLayout({
  title,
  isFirst = false,
  script = false,
  children,
}: {
  readonly title: string;
  /** Whether it is the page that lists all operations. */
  readonly isFirst?: boolean;
  /** Whether something can be tried on the page. */
  readonly script?: boolean;
  readonly children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={isFirst ? title : `${title} – the interface`} style="/docs/docs.css">
        {script && <script src="/docs/docs.js" defer></script>}
      </Head>
      <body>
        <header>
          <h1>{title}</h1>
          <nav aria-label="Documentation">
            {!isFirst && <a href="/docs">All operations</a>}{' '}
            <a href="/openapi.json">openapi.json</a>
          </nav>
        </header>
        <main>{children}</main>
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

/** Text that keeps its lines, and scrolls sideways, also by keyboard. */
export function Lines({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <section class="scroll" aria-label={name} tabindex={0}>
      <pre>{text}</pre>
    </section>
  );
}
