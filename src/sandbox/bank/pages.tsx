import type { Child } from 'hono/jsx';
import { money } from '../../core/format.ts';
import { Head } from '../../sites/web/head.tsx';
import type { BankStepShown } from '../acquirer/bankStep.ts';

/** The page on which the guest allows or refuses a payment. It has exactly these two buttons. */
export function AskPage({
  action,
  merchant,
  step,
}: {
  /** The path that the decision is sent to. */
  readonly action: string;
  /** Whom the guest pays. */
  readonly merchant: string;
  readonly step: BankStepShown;
}) {
  return (
    <BankLayout heading="Is this you?">
      <p>
        <bdi>{merchant}</bdi> asks for {money(step.amountMinor, step.currency)}.
      </p>
      <form method="post" action={action}>
        <input type="hidden" name="decision" value="allow" />
        <button type="submit">Allow</button>
      </form>
      <form method="post" action={action}>
        <input type="hidden" name="decision" value="refuse" />
        <button type="submit" class="button quiet">
          Refuse
        </button>
      </form>
    </BankLayout>
  );
}

/** A page with a message, and the way back if there is one. */
export function BankMessagePage({
  heading,
  returnUrl,
  text,
}: {
  readonly heading: string;
  readonly returnUrl: string | null;
  readonly text: string;
}) {
  return (
    <BankLayout heading={heading}>
      <p>{text}</p>
      {returnUrl !== null && (
        <p>
          <a class="button" href={returnUrl}>
            Back to your payment
          </a>
        </p>
      )}
    </BankLayout>
  );
}

function BankLayout({
  children,
  heading,
}: {
  readonly children?: Child;
  readonly heading: string;
}) {
  return (
    <html lang="en">
      <Head title={`${heading} – Sandbox Bank`} style="/guest/guest.css" />
      <body>
        <header>
          <p>Sandbox Bank</p>
        </header>
        <main>
          <h1>{heading}</h1>
          {children}
        </main>
        <footer>
          <p>This page plays the cardholder's bank. No real money moves.</p>
        </footer>
      </body>
    </html>
  );
}
