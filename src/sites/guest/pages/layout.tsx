import type { Child } from 'hono/jsx';
import { isolated } from '../../../core/format.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
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
  isError = false,
  isMessage = false,
  scripts = [],
  children,
}: {
  readonly title: string;
  readonly heading: string;
  /** Null where it is not known whose page this is. */
  readonly property?: ShownProperty | null;
  /** Whether something is wrong with what the guest sent. */
  readonly isError?: boolean;
  /** Whether this page is only a message, and has nothing to do with a card. */
  readonly isMessage?: boolean;
  /** URLs of further scripts that this page needs, in their order. */
  readonly scripts?: readonly string[];
  readonly children?: Child;
}) {
  const { frame, language } = useReader().words;
  const named = property ? `${title} – ${property.name}` : title;
  const colour = property?.branding?.colour;
  return (
    <html lang={language}>
      <Head title={isError ? frame.errorTitle({ title: named }) : named} style="/guest/guest.css">
        {colour !== undefined && (
          <link rel="stylesheet" href={`/guest/theme/${colour.slice(1).toLowerCase()}`} />
        )}
        <script src="/guest/guest.js" defer></script>
        {scripts.map((url) => (
          <script src={url} defer></script>
        ))}
      </Head>
      <body data-wait={frame.wait}>
        {property && <Header property={property} />}
        <main>
          <h1>{heading}</h1>
          {children}
        </main>
        <Languages />
        {property && <Footer property={property} isMessage={isMessage} />}
      </body>
    </html>
  );
}

function Header({ property: { branding, name } }: { readonly property: ShownProperty }) {
  const logoUrl = branding?.logoUrl;
  return (
    <header>
      {logoUrl !== undefined && (
        <img src={logoUrl} alt="" class="logo" referrerpolicy="no-referrer" />
      )}
      <p dir="auto">{name}</p>
    </header>
  );
}

/** How to reach the property, and what happens to card numbers. */
function Footer({
  property: { contact, name },
  isMessage,
}: {
  readonly property: ShownProperty;
  readonly isMessage: boolean;
}) {
  const { frame } = useReader().words;
  const { address, email, phone, taxId, termsUrl, website } = contact ?? {};
  return (
    <footer>
      <address>
        <p dir="auto">{name}</p>
        {address !== undefined && <p class="lines">{address}</p>}
        {phone !== undefined && (
          <p>
            {frame.phone}: <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
          </p>
        )}
        {email !== undefined && (
          <p>
            {frame.email}: <a href={`mailto:${email}`}>{email}</a>
          </p>
        )}
        {taxId !== undefined && (
          <p>
            {frame.taxId}: {taxId}
          </p>
        )}
        <OutsideLink label={frame.website} url={website} />
        <OutsideLink label={frame.terms} url={termsUrl} />
      </address>
      {!isMessage && <p class="safety">{frame.cardSafety({ property: isolated(name) })}</p>}
    </footer>
  );
}

function OutsideLink({ label, url }: { readonly label: string; readonly url: string | undefined }) {
  if (url === undefined) return null;
  return (
    <p>
      <a href={url} rel="noreferrer" target="_blank">
        {label}
      </a>
    </p>
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
    <Layout title={heading} heading={heading} property={property} isMessage>
      {children}
    </Layout>
  );
}
