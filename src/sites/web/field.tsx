import type { Child } from 'hono/jsx';

/** A field of a form: its label, what is typed into, and what is wrong with that, which the control names. */
export function Field({
  id,
  label,
  error,
  children,
}: {
  readonly id: string;
  readonly label: Child;
  readonly error?: string | undefined;
  readonly children?: Child;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} class="error">
          {error}
        </p>
      )}
    </div>
  );
}

/** A name and its value, in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
