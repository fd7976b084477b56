import type { Child } from 'hono/jsx';

/** A message at the top of a page; screen readers announce it. */
export function Notice({
  kind,
  focus = false,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'info';
  /** Whether it has the focus when the page opens, so that nobody overlooks it. */
  readonly focus?: boolean;
  readonly children?: Child;
}) {
  return (
    <div
      class={`notice ${kind}`}
      role={kind === 'bad' ? 'alert' : 'status'}
      tabindex={focus ? -1 : undefined}
      autofocus={focus}
    >
      {children}
    </div>
  );
}
