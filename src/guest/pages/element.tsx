import type { Child } from 'hono/jsx';
import type { ElementPageParts } from '../../gateways/cardElement.ts';
import { Notice } from '../../pages/notice.tsx';
import { Layout, MessagePage } from './layout.tsx';

/** The page in which the acquirer's own form takes a card, in its own frame. */
export function ElementPage({
  propertyName,
  action,
  attempt,
  refusal,
  parts,
  account,
  currency,
  children,
}: {
  readonly propertyName: string;
  /** Where our form, which holds a confirmation token and no card, is sent to. */
  readonly action: string;
  /** Makes one card of however many clicks. */
  readonly attempt: string;
  /** Why no card was taken, in plain words; null when nothing speaks against it. */
  readonly refusal: string | null;
  readonly parts: ElementPageParts;
  /** The property's own account at the acquirer, if it has one. */
  readonly account: string | null;
  readonly currency: string;
  /** What stands above the form. */
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
      {refusal !== null && (
        <Notice kind="bad">
          <p>{refusal}</p>
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
            The payment company takes your card in a form of its own, which needs JavaScript. Please
            switch it on for this page, or contact the property.
          </p>
        </div>
        <p id="element-fault" class="fault" aria-live="polite"></p>
        <button type="submit" disabled>
          Add the card
        </button>
        <p class="hint">Nothing is charged by this.</p>
      </form>
    </Layout>
  );
}

/** The way to the guest's bank, which wants to see them before their card can be charged. */
export function BankPage({
  propertyName,
  url,
}: {
  readonly propertyName: string;
  readonly url: string;
}) {
  return (
    <MessagePage heading="Your bank has a question" propertyName={propertyName}>
      <p>Your bank wants to make sure that it is you. Nothing is charged by this.</p>
      <p>
        <a class="button" href={url} rel="noreferrer">
          Go on to your bank
        </a>
      </p>
      <p class="hint">It will bring you back here.</p>
    </MessagePage>
  );
}
