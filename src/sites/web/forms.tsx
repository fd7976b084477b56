import type { Child, JSX } from 'hono/jsx';
import { err, ok, type Result } from '../../core/result.ts';
import { readBody } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';

/** The most bytes of a form: 3,000 characters that take nine bytes each, as Chinese ones do, and its other fields. */
const FORM_LIMIT_BYTES = 32 * 1024;

/** The fields of a form by name. If a name occurs twice, the last one counts. */
export type Form = Readonly<Record<string, string>>;

/** Reads a form; the HTTP status of the error if the body is not a form. */
export async function formOf(c: AppContext): Promise<Result<Form, 400 | 413 | 415>> {
  const form = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
  if (!form.test(c.req.header('Content-Type') ?? '')) return err(415);
  const body = await readBody(c, FORM_LIMIT_BYTES);
  if (!body.ok) return err(body.error.code === 'body_too_large' ? 413 : 400);
  const { text } = body.value;
  return text === null ? err(400) : ok(Object.fromEntries(new URLSearchParams(text)));
}

export function Hidden({ fields }: { readonly fields: Form }) {
  return Object.entries(fields).map(([name, value]) => (
    <input type="hidden" name={name} value={value} />
  ));
}

/** What every field of a form says: its label, and what is wrong with what is typed into it. */
interface Labelled {
  readonly id: string;
  readonly label: Child;
  readonly error?: string | undefined;
}

/** A field of a form: its label, what is typed into, and what is wrong with that, which the control names. */
export function Field({ id, label, error, children }: Labelled & { readonly children?: Child }) {
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

/** How a control names what is wrong with it. */
function faultOf(id: string, error: string | undefined) {
  return error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-error` };
}

/** A field of one line. Its input has the attributes that are given besides, and names what is wrong with it. */
export function InputField(field: JSX.IntrinsicElements['input'] & Labelled) {
  const { id, name = id, label, error, ...input } = field;
  return (
    <Field id={id} label={label} error={error}>
      <input id={id} name={name} {...input} {...faultOf(id, error)} />
    </Field>
  );
}

/** A field of several lines with its text; what is wrong with that has the focus. */
export function TextField(
  field: JSX.IntrinsicElements['textarea'] & Labelled & { readonly text: string },
) {
  const { id, label, error, text, ...area } = field;
  return (
    <Field id={id} label={label} error={error}>
      <textarea id={id} name={id} {...area} {...faultOf(id, error)} autofocus={error !== undefined}>
        {text}
      </textarea>
    </Field>
  );
}

/** A field of one of several choices, each by its word. */
export function SelectField(
  field: Labelled & {
    readonly name?: string;
    readonly options: readonly (readonly [string, string])[];
    readonly chosen: string | undefined;
  },
) {
  const { id, name = id, label, error, options, chosen } = field;
  return (
    <Field id={id} label={label} error={error}>
      <select id={id} name={name}>
        {options.map(([value, word]) => (
          <option value={value} selected={value === chosen}>
            {word}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A form of one button. `of` says of which row to who hears it without that. */
export function ButtonForm(form: {
  readonly action: string;
  readonly fields: Form;
  readonly text: string;
  readonly of?: string;
  readonly method?: 'get' | 'post';
  /** `row` where the page asks for one press. */
  readonly class?: 'actions' | 'row' | 'action';
}) {
  const { action, text, of, fields, method = 'post', class: look = 'actions' } = form;
  return (
    <form method={method} action={action} class={look}>
      <Hidden fields={fields} />
      <button type="submit">
        {text}
        {of !== undefined && <span class="unseen"> {of}</span>}
      </button>
    </form>
  );
}

/** A name and its value, in a list of facts. */
export function Fact(fact: {
  readonly name: string;
  readonly due?: boolean;
  /** Whether a person typed the value: it may be in any script. */
  readonly typed?: boolean;
  readonly children?: Child;
}) {
  const { name, due = false, typed = false, children } = fact;
  return (
    <div class={due ? 'due' : undefined}>
      <dt>{name}</dt>
      <dd>{typed ? <bdi>{children}</bdi> : children}</dd>
    </div>
  );
}
