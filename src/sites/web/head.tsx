import type { Child } from 'hono/jsx';

/** The head of every page. Search engines must not index pages; they follow the reader's light or dark mode. */
export function Head({
  title,
  style,
  children,
}: {
  readonly title: string;
  readonly style: string;
  /** Further elements of this page's head. */
  readonly children?: Child;
}) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={style} />
      {children}
    </head>
  );
}
