import type { Child } from 'hono/jsx';

/** A message at the top of a page; screen readers announce it. */
export function Notice({
  kind,
  children,
}: {
  readonly kind: 'good' | 'bad' | 'info';
  readonly children?: Child;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
