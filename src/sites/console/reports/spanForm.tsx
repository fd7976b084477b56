import type { TypedSpan } from './readSpan.ts';

/** A form that chooses days. `action` is an address whose query goes with them. */
export function SpanForm({
  action,
  typed,
  isFaulty,
}: {
  readonly action: string;
  readonly typed: TypedSpan;
  /** Whether an element `days-error` says what is wrong. */
  readonly isFaulty: boolean;
}) {
  const [path = '', query = ''] = action.split('?');
  const invalid = isFaulty && { 'aria-invalid': true, 'aria-describedby': 'days-error' };
  return (
    <form method="get" action={path} class="days">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <div class="field">
        <label for="from">From</label>
        <input id="from" name="from" type="date" value={typed.from} {...invalid} />
      </div>
      <div class="field">
        <label for="to">To</label>
        <input id="to" name="to" type="date" value={typed.to} {...invalid} />
      </div>
      <button type="submit">Show</button>
    </form>
  );
}
