import type { Child } from 'hono/jsx';

/** The head of every page: no robot keeps it, and it follows the reader's choice of light or dark. */
export function Head({
  title,
  style,
  children,
}: {
  readonly title: string;
  /** The address of its style. */
  readonly style: string;
  /** What this page needs besides. */
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
