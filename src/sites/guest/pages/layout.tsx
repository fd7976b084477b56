import type { Child } from 'hono/jsx';
import { isolated } from '../../../core/format.ts';
import { languages, ownNameOf } from '../../../core/words/words.ts';
import { Head, LinkLine } from '../../web/page.tsx';
import { type ShownProperty, usePage, useReader } from './reader.tsx';

export const LANGUAGE_PATH = '/guest/v1/language';

/** The frame of every guest page. */
export function Layout({
  heading,
  title = heading,
  printed,
  isError = false,
  isMessage = false,
  children,
}: {
  readonly heading: string;
  readonly title?: string;
  /** The heading on paper, where it is another one. */
  readonly printed?: string | undefined;
  /** Whether something is wrong with what the guest sent. */
  readonly isError?: boolean;
  /** Whether this page is only a message, and has nothing to do with a card. */
  readonly isMessage?: boolean;
  readonly children?: Child;
}) {
  const { element, property, reader } = usePage();
  const { frame, language } = reader.words;
  const named = property ? `${title} – ${property.name}` : title;
  const colour = property?.branding?.colour;
  return (
    <html lang={language}>
      <Head title={isError ? frame.errorTitle({ title: named }) : named} style="/guest/guest.css">
        {colour !== undefined && (
          <link rel="stylesheet" href={`/guest/theme/${colour.slice(1).toLowerCase()}`} />
        )}
        <script src="/guest/guest.js" defer></script>
        {element?.scripts.map((url) => (
          <script src={url} defer></script>
        ))}
      </Head>
      <body data-wait={frame.wait}>
        {property && <Header property={property} />}
        <main>
          <h1>
            {printed === undefined ? heading : <span class="unprinted">{heading}</span>}
            {printed !== undefined && <span class="printed">{printed}</span>}
          </h1>
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

/** A list of the languages, each in its own words. It needs no JavaScript. */
function Languages() {
  const { address, reader } = usePage();
  const { frame, language: shown, ownName } = reader.words;
  return (
    <details class="languages">
      <summary>
        {frame.language}: {ownName}
      </summary>
      <form method="post" action={LANGUAGE_PATH}>
        <input type="hidden" name="back" value={address} />
        {languages
          .filter((language) => language !== shown)
          .map((language) => (
            <button type="submit" name="language" value={language} lang={language}>
              {ownNameOf(language)}
            </button>
          ))}
      </form>
    </details>
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
  return url && <LinkLine href={url} rel="noreferrer" target="_blank" text={label} />;
}
