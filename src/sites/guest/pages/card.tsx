import type { Child } from 'hono/jsx';
import type { Reader } from '../../../core/words/reader.ts';
import type { PricedEffect } from '../../../money/guest/cardEffect.ts';
import { LinkLine, Notice } from '../../web/page.tsx';
import type { CardEntryContext, NotAdded } from '../enterCard.ts';
import {
  Agreement,
  Attempt,
  CardFields,
  cardFormData,
  ElementFields,
  ErrorSummary,
  useCardIssues,
} from './cardFields.tsx';
import { Layout } from './layout.tsx';
import { usePage, useReader } from './reader.tsx';

const NOTHING_TYPED = { issues: {}, repeated: { cardExpiry: '', cardHolderName: '' } };

/**
 * The form that takes a card: the acquirer's own in a frame, or ours. Ours never repeats a card number, because that
 * belongs only in the vault.
 */
export function CardPage({
  context: { action, effect, property },
  entered,
  error,
  children,
}: {
  readonly context: CardEntryContext;
  /** Why the guest sees the form again; null at first. */
  readonly entered: NotAdded | null;
  /** The same in words; null where only fields are invalid. */
  readonly error: string | null;
  /** Shown above the form. */
  readonly children?: Child;
}) {
  const { element = null, reader } = usePage();
  const { charged = [], moved = [] } = effect ?? {};
  const texts = reader.words.cardForm;
  const { issues, repeated } = entered?.kind === 'invalid' ? entered : NOTHING_TYPED;
  const invalid = useCardIssues(issues);
  return (
    <Layout heading={texts.title} isError={error !== null || invalid.length > 0}>
      <ErrorSummary issues={invalid} />
      {element && children}
      {error !== null && <Notice kind="bad" focus text={error} />}
      {!element && children}
      <form method="post" action={action} {...cardFormData(element, property, reader.words)}>
        <Attempt />
        {element ? (
          <ElementFields />
        ) : (
          <CardFields
            issues={issues}
            repeated={repeated}
            required
            isTypedAgain={entered !== null}
          />
        )}
        <Agreement kind="saved" showsCharges={moved.length > 0} />
        <button type="submit" disabled={element !== null}>
          {submitWords(charged, reader)}
        </button>
        {charged.length === 0 && <p class="hint">{texts.notCharged}</p>}
      </form>
    </Layout>
  );
}

/** What the button does, with what it pays where something is charged at once. */
function submitWords(
  charged: PricedEffect['charged'],
  { money, words: { cardForm } }: Reader,
): string {
  const [first] = charged;
  if (!first) return cardForm.submit;
  const totalMinor = charged.reduce(
    (sum, { amountMinor, feeMinor }) => sum + amountMinor + (feeMinor ?? 0),
    0,
  );
  return cardForm.submitAndPay({ amount: money(totalMinor, first.charge.currency) });
}

/** Sends the guest to their bank, which must verify them before the card can be charged. */
export function BankPage({ url }: { readonly url: string }) {
  const { bank } = useReader().words;
  return (
    <Layout heading={bank.heading} isMessage>
      <p>{bank.toAdd}</p>
      <LinkLine class="button" href={url} rel="noreferrer" text={bank.continue} />
      <p class="hint">{bank.comesBack}</p>
    </Layout>
  );
}
