import type { Child } from 'hono/jsx';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';
import { Notice } from '../../web/notice.tsx';
import {
  Agreement,
  CardFields,
  type CardIssues,
  cardFormData,
  ElementFields,
  ErrorSummary,
  type Repeated,
  useCardIssues,
} from './cardFields.tsx';
import { Layout, MessagePage, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/**
 * The form that takes a card: the acquirer's own in a frame, or ours. Ours never repeats a card number, because that
 * belongs only in the vault.
 */
export function CardPage({
  property,
  action,
  attempt,
  chargesAtOnce,
  parts,
  issues,
  repeated,
  error,
  children,
}: {
  readonly property: ShownProperty & Pick<PropertyRow, 'currency' | 'merchantAccount'>;
  /** The path that the form is sent to. From the acquirer's own form, it gets a confirmation token and no card. */
  readonly action: string;
  /** The form's id, so that repeated clicks add one card. */
  readonly attempt: string;
  /** The acquirer's own form; null for ours. */
  readonly parts: ElementPageParts | null;
  readonly issues: CardIssues;
  /** What the guest typed before and need not type again. */
  readonly repeated: Repeated;
  /** Whether the card is charged at once: what is shown above the form says what. */
  readonly chargesAtOnce: boolean;
  /** Why no card was added; null if there is no such reason. */
  readonly error: string | null;
  /** Shown above the form. */
  readonly children?: Child;
}) {
  const { words } = useReader();
  const texts = words.cardForm;
  const invalid = useCardIssues(issues);
  const isError = error !== null || invalid.length > 0;
  return (
    <Layout
      title={texts.title}
      heading={texts.title}
      property={property}
      isError={isError}
      scripts={parts?.scripts ?? []}
    >
      <ErrorSummary issues={invalid} />
      {parts && children}
      {error !== null && (
        <Notice kind="bad" focus>
          <p>{error}</p>
        </Notice>
      )}
      {!parts && children}
      <form method="post" action={action} {...cardFormData(parts, property, words)}>
        <input type="hidden" name="attempt" value={attempt} />
        {parts ? <ElementFields /> : <CardFields issues={issues} repeated={repeated} required />}
        {invalid.length > 0 && <p class="hint">{texts.typeAgain}</p>}
        <Agreement property={property} kind="saved" />
        <button type="submit" disabled={parts !== null}>
          {texts.submit}
        </button>
        {!chargesAtOnce && <p class="hint">{texts.notCharged}</p>}
      </form>
    </Layout>
  );
}

/** Sends the guest to their bank, which must verify them before the card can be charged. */
export function BankPage({
  property,
  url,
}: {
  readonly property: ShownProperty;
  readonly url: string;
}) {
  const { bank } = useReader().words;
  return (
    <MessagePage heading={bank.heading} property={property}>
      <p>{bank.toAdd}</p>
      <p>
        <a class="button" href={url} rel="noreferrer">
          {bank.continue}
        </a>
      </p>
      <p class="hint">{bank.comesBack}</p>
    </MessagePage>
  );
}
