import type { Child } from 'hono/jsx';
import type { ElementPageParts } from '../../../gateways/cardElement.ts';
import { Notice } from '../../web/notice.tsx';
import { Agreement } from './agreement.tsx';
import { ElementFields, elementData } from './elementFields.tsx';
import { Layout, MessagePage, type ShownProperty } from './layout.tsx';
import { useReader } from './reader.tsx';

/** The page that embeds the acquirer's own card form in a frame. */
export function ElementPage({
  property,
  action,
  attempt,
  chargesAtOnce,
  error,
  parts,
  account,
  currency,
  children,
}: {
  readonly property: ShownProperty;
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
  const { cardForm, element } = useReader().words;
  return (
    <Layout
      title={cardForm.title}
      heading={cardForm.title}
      property={property}
      isError={error !== null}
      scripts={parts.scripts}
    >
      {children}
      {error !== null && (
        <Notice kind="bad" focus>
          <p>{error}</p>
        </Notice>
      )}
      <form
        method="post"
        action={action}
        {...elementData(parts, { currency, merchantAccount: account }, element)}
      >
        <input type="hidden" name="attempt" value={attempt} />
        <ElementFields />
        <Agreement property={property} kind="saved" />
        <button type="submit" disabled>
          {cardForm.submit}
        </button>
        {!chargesAtOnce && <p class="hint">{cardForm.notCharged}</p>}
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
