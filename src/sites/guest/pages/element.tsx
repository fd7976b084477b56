import type { Child } from 'hono/jsx';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import { Notice } from '../../web/notice.tsx';
import { Layout, MessagePage } from './layout.tsx';

/** The page that embeds the acquirer's own card form in a frame. */
export function ElementPage({
  propertyName,
  action,
  attempt,
  chargesAtOnce,
  error,
  parts,
  account,
  currency,
  children,
}: {
  readonly propertyName: string;
  /** The path that our form is sent to. It holds a confirmation token and no card. */
  readonly action: string;
  /** The form's id, so that repeated clicks add one card. */
  readonly attempt: string;
  /** Whether the card is charged at once: what is shown above the form says what. */
  readonly chargesAtOnce: boolean;
  /** Why no card was added; null if there is no such reason. */
  readonly error: string | null;
  readonly parts: ElementPageParts;
  /** The property's own account at the acquirer, if it has one. */
  readonly account: string | null;
  readonly currency: string;
  /** Shown above the form. */
  readonly children?: Child;
}) {
  return (
    <Layout
      title="Add a card"
      heading="Add a card"
      propertyName={propertyName}
      scripts={parts.scripts}
    >
      {children}
      {error !== null && (
        <Notice kind="bad">
          <p>{error}</p>
        </Notice>
      )}
      <form
        method="post"
        action={action}
        data-element
        data-key={parts.publishableKey}
        data-account={account ?? ''}
        data-currency={currency.toLowerCase()}
      >
        <input type="hidden" name="attempt" value={attempt} />
        <input type="hidden" name="confirmationToken" value="" />
        <div id="element" class="element">
          <p>
            The payment company takes your card in its own form, which needs JavaScript. Please turn
            on JavaScript for this page, or contact the property.
          </p>
        </div>
        <p id="element-fault" class="fault" aria-live="polite"></p>
        <button type="submit" disabled>
          Add the card
        </button>
        {!chargesAtOnce && <p class="hint">Nothing is charged when you add a card.</p>}
      </form>
    </Layout>
  );
}

/** Sends the guest to their bank, which must verify them before the card can be charged. */
export function BankPage({
  propertyName,
  url,
}: {
  readonly propertyName: string;
  readonly url: string;
}) {
  return (
    <MessagePage heading="Please confirm with your bank" propertyName={propertyName}>
      <p>Your bank needs to verify you. Nothing is charged in this step.</p>
      <p>
        <a class="button" href={url} rel="noreferrer">
          Continue to your bank
        </a>
      </p>
      <p class="hint">Your bank will bring you back here afterwards.</p>
    </MessagePage>
  );
}
