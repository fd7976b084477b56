import type { Child } from 'hono/jsx';
import type { Failure } from '../core/failure.ts';
import { money } from '../core/format.ts';
import type { AppContext } from '../http/context.ts';
import type { Api } from '../http/operation.ts';
import { statusOf } from '../http/problem.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { findProperty } from '../records/properties/store.ts';
import { formOf } from '../sites/web/forms.tsx';
import { guardPages } from '../sites/web/guard.ts';
import { Head, LinkLine, page, pagePolicy, setRetryAfter } from '../sites/web/page.tsx';
import { BANK_PATH, type BankStepShown } from './acquirer/operations.ts';
import { usesSandbox } from './api/operation.ts';
import { sandboxAcquirer } from './stub.ts';

/**
 * The pages that play the guest's bank for the sandbox (interface: The sandbox's bank): they ask the guest to allow a
 * payment, and send them back. Whoever knows a page's address is the cardholder.
 */
export function registerBankPages(api: Api): void {
  api.use(`${BANK_PATH}/*`, bankSite);
  api.get(`${BANK_PATH}/:step`, (c) => ask(c));
  api.post(`${BANK_PATH}/:step`, (c) => decide(c));
}

const bankSite = guardPages({
  name: 'bank',
  policy: pagePolicy(),
  limited: (c, { retryAfterSeconds }) => {
    setRetryAfter(c, retryAfterSeconds);
    return messagePage(c, 429, 'Please wait a moment', 'Please try again shortly.');
  },
  foreign: (c) =>
    messagePage(c, 403, 'This form was not sent from our page', 'Nothing was changed.'),
});

const STEP_ID = /^[0-9a-f]{48}$/;

export function isBankPath(path: string): boolean {
  return path.startsWith(`${BANK_PATH}/`);
}

/** The page for a failure that the cardholder did not cause. */
export function bankFailurePage(c: AppContext, { code }: Failure): Promise<Response> {
  const text = `Please go back and try again. (Error reference: ${c.get('requestId')})`;
  return messagePage(c, statusOf(code), 'Something went wrong', text);
}

/** Shows the payment, with exactly two buttons: to allow it and to refuse it. */
async function ask(c: AppContext): Promise<Response> {
  const stepId = stepIdOf(c);
  const step = stepId && (await shownStep(c, stepId));
  if (!step) return unknownStep(c);
  if (step.status !== 'open') {
    const heading =
      step.status === 'allowed' ? 'You allowed this payment' : 'This payment has ended';
    return messagePage(c, 200, heading, 'There is nothing left to decide here.', step.returnUrl);
  }
  const property = await findProperty(c.get('database'), step.propertyId);
  return page(
    c,
    200,
    <BankPage heading="Is this you?">
      <p>
        <bdi>{property?.name ?? step.propertyId}</bdi> asks for{' '}
        {money(step.amountMinor, step.currency)}.
      </p>
      <form method="post" action={c.req.path}>
        <input type="hidden" name="decision" value="allow" />
        <button type="submit">Allow</button>
      </form>
      <form method="post" action={c.req.path}>
        <input type="hidden" name="decision" value="refuse" />
        <button type="submit" class="button quiet">
          Refuse
        </button>
      </form>
    </BankPage>,
  );
}

/** Tells the acquirer of the guest's decision, and sends them back to where they came from. */
async function decide(c: AppContext): Promise<Response> {
  const stepId = stepIdOf(c);
  const step = stepId && (await shownStep(c, stepId));
  if (!stepId || !step) return unknownStep(c);
  const form = await formOf(c);
  const decision = form.ok ? form.value['decision'] : undefined;
  if (decision !== 'allow' && decision !== 'refuse') {
    const status = form.ok ? 422 : form.error;
    return messagePage(c, status, 'We could not read the form', 'Please go back.');
  }
  const property = await findProperty(c.get('database'), step.propertyId);
  const atMs = property ? propertyNow(property) : Date.now();
  await c
    .get('trace')
    .span('object.sandbox', () =>
      sandboxAcquirer(c.env).decideAtBank(stepId, decision === 'allow', atMs),
    );
  return c.redirect(step.returnUrl, 303);
}

/** The name of the page; null for what cannot be one, and where the deployment does not use the sandbox. */
function stepIdOf(c: AppContext): string | null {
  const stepId = c.req.param('step') ?? '';
  return usesSandbox(c) && STEP_ID.test(stepId) ? stepId : null;
}

function shownStep(c: AppContext, stepId: string): Promise<BankStepShown | null> {
  return c.get('trace').span('object.sandbox', () => sandboxAcquirer(c.env).bankStep(stepId));
}

function unknownStep(c: AppContext): Promise<Response> {
  return messagePage(c, 404, 'There is no such page', 'Please go back to where you came from.');
}

/** A page with a message, and the way back if there is one. */
function messagePage(
  c: AppContext,
  status: number,
  heading: string,
  text: string,
  returnUrl: string | null = null,
): Promise<Response> {
  return page(
    c,
    status,
    <BankPage heading={heading}>
      <p>{text}</p>
      {returnUrl !== null && (
        <LinkLine class="button" href={returnUrl} text="Back to your payment" />
      )}
    </BankPage>,
  );
}

function BankPage({ children, heading }: { readonly children?: Child; readonly heading: string }) {
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
