import { isolated } from '../../../core/format.ts';
import type { Words } from '../../../core/words/words.ts';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import { type AgreementKind, agreementName } from '../../../records/cards/rules.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { cardSentences } from '../rules/cardSentences.ts';
import { usePage, useReader } from './reader.tsx';

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

/** A form's id, so that repeated clicks add one card, or make one payment. */
export function Attempt() {
  return <input type="hidden" name="attempt" value={crypto.randomUUID()} />;
}

interface Typed {
  readonly issues: CardIssues;
  readonly repeated: Repeated;
  /** Whether the form cannot be sent without them. */
  readonly required: boolean;
  /** Whether the guest has sent a card: its number and code are then not repeated, and the fields say so. */
  readonly isTypedAgain: boolean;
}

export function CardFields(typed: Typed) {
  const [number, expiry, code, holder] = fields;
  return (
    <>
      <Field field={number} {...typed} />
      <div class="pair">
        <Field field={expiry} {...typed} />
        <Field field={code} {...typed} />
      </div>
      <Field field={holder} {...typed} />
    </>
  );
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
  field: { name, label, hint, input },
  issues,
  repeated,
  required,
  isTypedAgain,
}: Typed & { readonly field: (typeof fields)[number] }) {
  const texts = useReader().words.cardForm;
  const isRepeated = name === 'cardExpiry' || name === 'cardHolderName';
  const isEmptied = isTypedAgain && !isRepeated;
  const issue = issues[name] ?? (isEmptied && name === 'cardNumber' ? texts.typeAgain : undefined);
  const described = [hint && `${name}-hint`, `${name}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={name}>{texts[label]}</label>
      {name === 'cardNumber' && (
        <span class="brands">
          <Lock /> Visa · Mastercard · Amex
        </span>
      )}
      <input
        id={name}
        name={name}
        required={required}
        value={isRepeated && repeated[name] !== '' ? repeated[name] : undefined}
        spellcheck={false}
        aria-describedby={described}
        aria-invalid={issue !== undefined || isEmptied ? 'true' : undefined}
        {...input}
      />
      {hint && (
        <p id={`${name}-hint`} class="hint">
          {texts[hint]}
        </p>
      )}
      <p id={`${name}-fault`} class="fault" aria-live="polite">
        {issue}
      </p>
    </div>
  );
}

/** A picture, because not every font has the character. */
function Lock() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" />
    </svg>
  );
}

/** What our scripts read from a form that takes a card: the acquirer's own in a frame, or ours where `parts` is null. */
export function cardFormData(
  parts: ElementPageParts | null,
  { currency, merchantAccount }: Pick<PropertyRow, 'currency' | 'merchantAccount'>,
  { cardForm, element }: Words,
) {
  if (parts === null) return { 'data-once': '', 'data-card': cardForm.issues.cardNumber };
  return {
    'data-element': '',
    'data-key': parts.publishableKey,
    'data-account': merchantAccount ?? '',
    'data-currency': currency.toLowerCase(),
    'data-not-loaded': element.notLoaded,
    'data-load-error': element.loadError,
    'data-no-answer': element.noAnswer,
    'data-check-card': element.checkCard,
  };
}

/** Where the acquirer's own form appears. Our form gets a token of the card. */
export function ElementFields() {
  const { element } = useReader().words;
  return (
    <>
      <input type="hidden" name="confirmationToken" value="" />
      <div id="element" class="element">
        <p>{element.needsScript}</p>
      </div>
      <p id="element-fault" class="fault" aria-live="polite"></p>
    </>
  );
}

export interface FieldIssue {
  readonly id: string;
  readonly label: string;
  readonly issue: string;
}

/** Lists what is wrong with a form, and has the focus when the page opens. */
export function ErrorSummary({ issues }: { readonly issues: readonly FieldIssue[] }) {
  const { cardForm } = useReader().words;
  if (issues.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabindex={-1} autofocus>
      <h2>{cardForm.summary}</h2>
      <ul>
        {issues.map(({ id, label, issue }) => (
          <li>
            <a href={`#${id}`}>{cardForm.inField({ field: label, issue })}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a guest agrees to by saving a card. The text's name is recorded with the card. */
export function Agreement({
  kind,
  showsCharges,
}: {
  readonly kind: AgreementKind;
  /** Whether the page shows automatic charges that the card is for. */
  readonly showsCharges: boolean;
}) {
  const { property, reader } = usePage();
  const { agreement, language } = reader.words;
  const name = isolated(property?.name ?? '');
  const termsUrl = property?.contact?.termsUrl;
  return (
    <>
      <input type="hidden" name="agreed" value={agreementName(kind, language)} />
      <p class="hint">
        {cardSentences(reader, kind, { name: property?.name ?? '' }, showsCharges)}{' '}
        {termsUrl !== undefined && (
          <a href={termsUrl} rel="noreferrer" target="_blank">
            {agreement.terms({ property: name })}
          </a>
        )}
      </p>
    </>
  );
}
