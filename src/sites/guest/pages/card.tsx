import type { Child } from 'hono/jsx';
import { Notice } from '../../web/notice.tsx';
import { Layout, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The fields of the form, by their names. */
export type CardField = 'cardNumber' | 'cardExpiry' | 'cvv' | 'cardHolderName';

/** Explains what is wrong with each invalid field. */
export type CardIssues = Partial<Record<CardField, string>>;

/** The form's fields in their order on the page. */
const fields = [
  {
    name: 'cardNumber',
    label: 'number',
    hint: undefined,
    input: { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 40 },
  },
  {
    name: 'cardExpiry',
    label: 'expiry',
    hint: 'expiryHint',
    input: { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 12 },
  },
  {
    name: 'cvv',
    label: 'code',
    hint: 'codeHint',
    input: { inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4 },
  },
  {
    name: 'cardHolderName',
    label: 'holder',
    hint: undefined,
    input: { autocomplete: 'cc-name', maxlength: 100 },
  },
] as const;

/** The form that takes a card. It never repeats what a guest typed, because a card number belongs only in the vault. */
export function CardPage({
  property,
  action,
  attempt,
  chargesAtOnce,
  issues,
  error,
  children,
}: {
  readonly property: ShownProperty;
  /** The path that the form is sent to. */
  readonly action: string;
  /** The form's id, so that repeated clicks add one card. */
  readonly attempt: string;
  readonly issues: CardIssues;
  /** Whether the card is charged at once: what is shown above the form says what. */
  readonly chargesAtOnce: boolean;
  /** Why no card was added; null if there is no such reason. */
  readonly error: string | null;
  /** Shown above the form. */
  readonly children?: Child;
}) {
  const texts = useReader().words.cardForm;
  const invalid = fields.filter(({ name }) => issues[name] !== undefined);
  return (
    <Layout title={texts.title} heading={texts.title} property={property}>
      {children}
      {error !== null && (
        <Notice kind="bad">
          <p>{error}</p>
        </Notice>
      )}
      {invalid.length > 0 && (
        <Notice kind="bad">
          <h2>{texts.summary}</h2>
          <ul>
            {invalid.map(({ name, label }) => (
              <li>
                <a href={`#${name}`}>{texts.inField(texts[label], issues[name] ?? '')}</a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <form method="post" action={action} data-once data-card={texts.issues.cardNumber}>
        <input type="hidden" name="attempt" value={attempt} />
        {fields.map((field) => (
          <Field {...field} issue={issues[field.name]} />
        ))}
        <button type="submit">{texts.submit}</button>
        {!chargesAtOnce && <p class="hint">{texts.notCharged}</p>}
      </form>
    </Layout>
  );
}

function Field({
  name,
  label,
  hint,
  issue,
  input,
}: (typeof fields)[number] & { readonly issue: string | undefined }) {
  const texts = useReader().words.cardForm;
  const described = [hint && `${name}-hint`, `${name}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={name}>{texts[label]}</label>
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {texts[hint]}
        </p>
      )}
      <input
        id={name}
        name={name}
        required
        spellcheck={false}
        aria-describedby={described}
        aria-invalid={issue === undefined ? undefined : 'true'}
        {...input}
      />
      <p id={`${name}-fault`} class="fault" aria-live="polite">
        {issue}
      </p>
    </div>
  );
}
