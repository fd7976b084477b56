import type { Child } from 'hono/jsx';

/** Something that whoever looks at a page must see first. */
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
