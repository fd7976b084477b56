import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from '../../http/context.ts';
import { othersTurn } from '../../platform/othersTurn.ts';

/**
 * The `Content-Security-Policy` of a page: it loads only this service's styles, and no site may show it in a frame.
 * Only `further` directives allow scripts and other sources; `images` are origins of pictures that it shows.
 */
export function pagePolicy(
  further: readonly string[] = [],
  images: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    ...further,
    "style-src 'self'",
    ['img-src data:', ...images].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export async function page(
  c: AppContext,
  status: number,
  content: HtmlEscapedString | Promise<HtmlEscapedString>,
): Promise<Response> {
  await othersTurn();
  return c.body(`<!doctype html>${await content}`, status as ContentfulStatusCode, {
    'Content-Type': 'text/html; charset=utf-8',
  });
}

/** Sets `Retry-After` if the failure says when to try again. */
export function setRetryAfter(c: AppContext, seconds: number | undefined): void {
  if (seconds !== undefined) c.header('Retry-After', String(seconds));
}

/** A card on a square, in the address itself: a page loads nothing for it. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5cad'/%3E%3Cpath d='M3 5h10v6H3zm0 2h10' fill='none' stroke='%23fff'/%3E%3C/svg%3E";

/** The head of every page. Search engines must not index pages; they follow the reader's light or dark mode. */
export function Head(page: {
  readonly title: string;
  readonly style: string;
  /** Further elements of this page's head. */
  readonly children?: Child;
}) {
  const { title, style, children } = page;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href={ICON} />
      <link rel="stylesheet" href={style} />
      {children}
    </head>
  );
}

/** What the last action came to, as a page says it on top. */
export interface Said {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** A message at the top of a page; screen readers announce it. */
export function Notice(notice: {
  readonly kind: 'good' | 'bad' | 'info';
  /** Whether it has the focus when the page opens, so that nobody overlooks it. */
  readonly focus?: boolean;
  /** Its one paragraph, before what else it has. */
  readonly text?: string;
  readonly children?: Child;
}) {
  const { kind, focus = false, text, children } = notice;
  return (
    <div
      class={`notice ${kind}`}
      role={kind === 'bad' ? 'alert' : 'status'}
      tabindex={focus ? -1 : undefined}
      autofocus={focus}
    >
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

/** A link that leads to another page of a site, or chooses what a page shows. */
export interface Tab {
  readonly name: string;
  readonly href: string;
  readonly isCurrent: boolean;
  /** How many entries there need somebody. */
  readonly count?: string | undefined;
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
              {tab.count !== undefined && (
                <>
                  {' '}
                  <span class="count">{tab.count}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function LinkLine({
  text,
  ...link
}: {
  readonly class?: 'button' | 'button quiet';
  readonly href: string;
  readonly rel?: 'noreferrer';
  readonly target?: '_blank';
  readonly text: string;
}) {
  return (
    <p>
      <a {...link}>{text}</a>
    </p>
  );
}

/** A part of a page below its heading. */
export function Section(section: Readonly<{ id: string; heading: string; children?: Child }>) {
  const { id, heading, children } = section;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {children}
    </section>
  );
}
