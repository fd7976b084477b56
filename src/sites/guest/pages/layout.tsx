import type { Child } from 'hono/jsx';
import { Head } from '../../web/head.tsx';

/** The frame of every guest page. */
export function Layout({
  title,
  heading,
  propertyName,
  scripts = [],
  children,
}: {
  readonly title: string;
  readonly heading: string;
  readonly propertyName?: string | undefined;
  /** URLs of further scripts that this page needs, in their order. */
  readonly scripts?: readonly string[];
  readonly children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={propertyName ? `${title} – ${propertyName}` : title} style="/guest/guest.css">
        <script src="/guest/guest.js" defer></script>
        {scripts.map((url) => (
          <script src={url} defer></script>
        ))}
      </Head>
      <body>
        <header>{propertyName && <p dir="auto">{propertyName}</p>}</header>
        <main>
          <h1>{heading}</h1>
          {children}
        </main>
        <footer>
          <p>
            Your card number goes to the payment company. It is not stored here, and nobody at the
            property can see it.
          </p>
        </footer>
      </body>
    </html>
  );
}

/** One name and value of a `dl`. */
export function Fact({
  name,
  due = false,
  children,
}: {
  readonly name: string;
  /** Highlights the total. */
  readonly due?: boolean;
  readonly children?: Child;
}) {
  return (
    <div class={due ? 'due' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A page with only a heading and a message, for example that a link has expired. */
export function MessagePage({
  heading,
  propertyName,
  children,
}: {
  readonly heading: string;
  readonly propertyName?: string | undefined;
  readonly children?: Child;
}) {
  return (
    <Layout title={heading} heading={heading} propertyName={propertyName}>
      {children}
    </Layout>
  );
}
