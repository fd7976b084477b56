import type { Child } from 'hono/jsx';

/** A name and its value, in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
