import type { Child } from 'hono/jsx';
import { Notice } from '../../pages/notice.tsx';
import { Layout } from './layout.tsx';

/** The fields of the form, by their names. */
export type CardField = 'cardNumber' | 'cardExpiry' | 'cvv' | 'cardHolderName';

/** What is wrong with each field, in plain words. */
export type CardFaults = Partial<Record<CardField, string>>;

/** What a guest is asked for, in this order. */
const fields = [
  {
    name: 'cardNumber',
    label: 'Card number',
    hint: undefined,
    input: { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 40 },
  },
  {
    name: 'cardExpiry',
    label: 'Expiry date',
    hint: 'Month and year, such as 04/29',
    input: { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 12 },
  },
  {
    name: 'cvv',
    label: 'Security code',
    hint: '3 digits on the back of the card, or 4 on the front',
    input: { inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4 },
  },
  {
    name: 'cardHolderName',
    label: 'Name on the card',
    hint: undefined,
    input: { autocomplete: 'cc-name', maxlength: 100 },
  },
] as const;

/** The form that takes a card. What was typed before is not shown again: a number belongs nowhere but in the vault. */
export function CardPage({
  propertyName,
  action,
  attempt,
  faults,
  refusal,
  children,
}: {
  readonly propertyName: string;
  /** Where the form is sent to. */
  readonly action: string;
  /** Makes one card of however many clicks. */
  readonly attempt: string;
  readonly faults: CardFaults;
  /** Why no card can be taken, in plain words; null when nothing speaks against it. */
  readonly refusal: string | null;
  /** What stands above the form. */
  readonly children?: Child;
}) {
  const wrong = fields.filter(({ name }) => faults[name] !== undefined);
  return (
    <Layout title="Add a card" heading="Add a card" propertyName={propertyName}>
      {children}
      {refusal !== null && (
        <Notice kind="bad">
          <p>{refusal}</p>
        </Notice>
      )}
      {wrong.length > 0 && (
        <Notice kind="bad">
          <h2>Please check</h2>
          <ul>
            {wrong.map(({ name, label }) => (
              <li>
                <a href={`#${name}`}>
                  {label}: {faults[name]}
                </a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <form method="post" action={action} data-once data-card>
        <input type="hidden" name="attempt" value={attempt} />
        {fields.map((field) => (
          <Field {...field} fault={faults[field.name]} />
        ))}
        <button type="submit">Add the card</button>
        <p class="hint">Nothing is charged by this.</p>
      </form>
    </Layout>
  );
}

function Field({
  name,
  label,
  hint,
  fault,
  input,
}: (typeof fields)[number] & { readonly fault: string | undefined }) {
  const described = [hint && `${name}-hint`, `${name}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {hint}
        </p>
      )}
      <input
        id={name}
        name={name}
        required
        spellcheck={false}
        aria-describedby={described}
        aria-invalid={fault === undefined ? undefined : 'true'}
        {...input}
      />
      <p id={`${name}-fault`} class="fault" aria-live="polite">
        {fault}
      </p>
    </div>
  );
}
