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

/** What a page repeats of what a guest typed. The number and the code belong only in the vault. */
export interface Repeated {
  readonly cardExpiry: string;
  readonly cardHolderName: string;
}

/** The fields of a card that people type. */
export function CardFields({
  issues,
  repeated,
  required,
}: {
  readonly issues: CardIssues;
  readonly repeated: Repeated;
  /** Whether the form cannot be sent without them. */
  readonly required: boolean;
}) {
  return fields.map((field) => (
    <Field
      {...field}
      issue={issues[field.name]}
      required={required}
      value={
        field.name === 'cardExpiry' || field.name === 'cardHolderName' ? repeated[field.name] : ''
      }
    />
  ));
}

/** The invalid fields, in their order on the page. */
export function useCardIssues(issues: CardIssues) {
  const texts = useReader().words.cardForm;
  return fields.flatMap(({ name, label }) => {
    const issue = issues[name];
    return issue === undefined ? [] : [{ id: name, label: texts[label], issue }];
  });
}

function Field({
  name,
  label,
  hint,
  issue,
  input,
  required,
  value,
}: (typeof fields)[number] & {
  readonly issue: string | undefined;
  readonly required: boolean;
  readonly value: string;
}) {
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
        required={required}
        value={value === '' ? undefined : value}
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
