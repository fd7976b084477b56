import type { Child } from 'hono/jsx';
import { words } from '../../desk/words.ts';
import { Head } from './page.tsx';

/** The frame of pages for administrators and people of the staff. */
export function StaffLayout({
  title,
  site,
  home,
  style,
  signedInAs,
  navigation,
  children,
}: {
  readonly title: string;
  /** What the site is called, in the window's title. */
  readonly site: string;
  /** The path of the site: its form to sign out is below it. */
  readonly home: string;
  readonly style: string;
  /** Who is signed in; absent before signing in. */
  readonly signedInAs?: Child;
  readonly navigation?: Child;
  readonly children?: Child;
}) {
  return (
    <html lang="en">
      <Head title={`${title} – ${site}`} style={style} />
      <body>
        <header>
          <h1>{title}</h1>
          {signedInAs && (
            <form method="post" action={`${home}/sign-out`} class="actions">
              <span>{signedInAs}</span>
              <button type="submit">{words.console.signOut}</button>
            </form>
          )}
        </header>
        {navigation}
        <main>{children}</main>
      </body>
    </html>
  );
}

/** A link that leads to another page of a site, or chooses what a page shows. */
export interface Tab {
  readonly name: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Links side by side; the one to what is shown is marked. */
export function Tabs({ name, tabs }: { readonly name: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={name}>
      <ul class="tabs">
        {tabs.map((tab) => (
          <li>
            <a href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
              {tab.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** One paragraph, and a link back to the site. */
export function MessageWithLink({
  text,
  home,
  back,
}: {
  readonly text: string;
  readonly home: string;
  readonly back: string;
}) {
  return (
    <>
      <p>{text}</p>
      <LinkLine href={home} text={back} />
    </>
  );
}

/** A link in a line of its own. */
export function LinkLine({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <p>
      <a href={href}>{text}</a>
    </p>
  );
}
