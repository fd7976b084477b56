import type { Child } from 'hono/jsx';
import { Notice } from '../../web/notice.tsx';
import { Agreement } from './agreement.tsx';
import { CardFields, type CardIssues, type Repeated, useCardIssues } from './cardFields.tsx';
import { ErrorSummary } from './errorSummary.tsx';
import { Layout, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The form that takes a card. It never repeats a card number, because that belongs only in the vault. */
export function CardPage({
  property,
  action,
  attempt,
  chargesAtOnce,
  issues,
  repeated,
  error,
  children,
}: {
  readonly property: ShownProperty;
  /** The path that the form is sent to. */
  readonly action: string;
  /** The form's id, so that repeated clicks add one card. */
  readonly attempt: string;
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
  const texts = useReader().words.cardForm;
  const invalid = useCardIssues(issues);
  const isError = error !== null || invalid.length > 0;
  return (
    <Layout title={texts.title} heading={texts.title} property={property} isError={isError}>
      <ErrorSummary issues={invalid} />
      {error !== null && (
        <Notice kind="bad" focus>
          <p>{error}</p>
        </Notice>
      )}
      {children}
      <form method="post" action={action} data-once data-card={texts.issues.cardNumber}>
        <input type="hidden" name="attempt" value={attempt} />
        <CardFields issues={issues} repeated={repeated} required />
        {invalid.length > 0 && <p class="hint">{texts.typeAgain}</p>}
        <Agreement property={property} kind="saved" />
        <button type="submit">{texts.submit}</button>
        {!chargesAtOnce && <p class="hint">{texts.notCharged}</p>}
      </form>
    </Layout>
  );
}
