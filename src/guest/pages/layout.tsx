import type { Child } from 'hono/jsx';
import { Head } from '../../pages/head.tsx';

/** What stands around every page of a guest. */
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
  /** Scripts that this page needs besides, in their order. */
  readonly scripts?: readonly string[];
  readonly children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={propertyName ? `${title} – ${propertyName}` : title} style="/guest/guest.css">
        <script src="/guest/guest.js" defer></script>
        {scripts.map((address) => (
          <script src={address} defer></script>
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
            Card numbers are passed on to the payment company and not kept here. Nobody at the
            property sees them.
          </p>
        </footer>
      </body>
    </html>
  );
}

/** One line of a `dl`: what it is called, and what it is. */
export function Fact({
  name,
  due = false,
  children,
}: {
  readonly name: string;
  /** What it all comes to. */
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

/** A page that only says something, such as that a link has expired. */
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
