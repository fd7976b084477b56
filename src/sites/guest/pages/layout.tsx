import type { Child } from 'hono/jsx';
import { isolated } from '../../../core/format.ts';
import type { PropertyRow } from '../../../platform/db/propertyTables.ts';
import { Head } from '../../web/head.tsx';
import { Languages } from './languages.tsx';
import { useReader } from './reader.tsx';

/** The property that a page speaks for. */
export type ShownProperty = Pick<PropertyRow, 'name' | 'contact' | 'branding'>;

/** The frame of every guest page. */
export function Layout({
  title,
  heading,
  property = null,
  scripts = [],
  children,
}: {
  readonly title: string;
  readonly heading: string;
  /** Null where it is not known whose page this is. */
  readonly property?: ShownProperty | null;
  /** URLs of further scripts that this page needs, in their order. */
  readonly scripts?: readonly string[];
  readonly children?: Child;
}) {
  const { frame, language } = useReader().words;
  return (
    <html lang={language}>
      <Head title={property ? `${title} – ${property.name}` : title} style="/guest/guest.css">
        <script src="/guest/guest.js" defer></script>
        {scripts.map((url) => (
          <script src={url} defer></script>
        ))}
      </Head>
      <body data-wait={frame.wait}>
        <header>{property && <p dir="auto">{property.name}</p>}</header>
        <main>
          <h1>{heading}</h1>
          {children}
        </main>
        <Languages />
        {property && (
          <footer>
            <p>{frame.cardSafety(isolated(property.name))}</p>
          </footer>
        )}
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
  property = null,
  children,
}: {
  readonly heading: string;
  readonly property?: ShownProperty | null;
  readonly children?: Child;
}) {
  return (
    <Layout title={heading} heading={heading} property={property}>
      {children}
    </Layout>
  );
}
