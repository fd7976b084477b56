import type { Child } from 'hono/jsx';

/** A message at the top of a page; screen readers announce it. */
export function Notice({
  kind,
  focus = false,
  text,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'info';
  /** Whether it has the focus when the page opens, so that nobody overlooks it. */
  readonly focus?: boolean;
  /** Its one paragraph, before what else it has. */
  readonly text?: string;
  readonly children?: Child;
}) {
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
