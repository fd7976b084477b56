import type { GuestStepCommand } from '../../money/guest/pay.ts';
import { bankStepUntilMs } from '../../money/payments/rules.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import type { TransactionRow } from '../../schema/moneyTables.ts';
import { keepSealed } from '../web/sealedCookie.ts';
import { reload } from './guestContext.tsx';
import { BankStepPage, ReceiptPage } from './pages/receipt.tsx';
import { callAsGuest, type GuestContext, visitOf } from './session.ts';
import { frameOf, guestPage, readForm } from './site.tsx';

/** The path below which each payment of a session has its page. */
export function receiptsOf({ home }: Pick<GuestContext, 'home'>): string {
  return `${home}/receipt`;
}

/**
 * A payment's page: where its guest confirms it, its receipt, or where it failed, the booking's page. The bank sends the
 * guest back to it. It asks the acquirer itself: that the guest came back says nothing.
 */
export async function receipt(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  const id = Number(c.req.param('chargeId'));
  // The acquirer adds to the address, for itself, what is not for the browser's history.
  if (new URL(c.req.url).search !== '') return c.redirect(`${receiptsOf(guest)}/${id}`, 303);
  const row = rowOf(guest, id);
  if (row === undefined || !isUnderWay(row)) return shown(guest, id, null);
  const bankUrl = await follow(guest, { chargeId: id, givesUp: false });
  return shown(await reload(guest), id, bankUrl);
}

/** The guest gives a payment up that waits for their bank. */
export async function giveUp(guest: GuestContext): Promise<Response> {
  const { c } = guest;
  const form = await readForm(c);
  if (form instanceof Response) return form;
  const id = Number(c.req.param('chargeId'));
  const row = rowOf(guest, id);
  if (row !== undefined && isUnderWay(row)) {
    await follow(guest, { chargeId: id, givesUp: true });
  }
  const after = rowOf(await reload(guest), id);
  return after?.status === 'Declined'
    ? c.redirect(`${guest.home}?cancelled=${id}`, 303)
    : c.redirect(`${receiptsOf(guest)}/${id}`, 303);
}

function rowOf({ folio }: GuestContext, id: number): TransactionRow | undefined {
  return folio.transactions.find((one) => one.id === id);
}

/** Whether the acquirer may know more of a payment than the record says. */
function isUnderWay({ initiator, status }: TransactionRow): boolean {
  return status === 'Processing' && initiator === 'guest';
}

/** Has the booking ask the acquirer. Returns where the guest confirms the payment; null if that is not open. */
async function follow(guest: GuestContext, command: GuestStepCommand): Promise<string | null> {
  const { property } = guest.folio.state;
  const answer = await callAsGuest(guest.c, guest.claims, property, 'followGuestPayment', command);
  return answer.ok ? answer.value.bankUrl : null;
}

function shown(
  guest: GuestContext,
  id: number,
  bankUrl: string | null,
): Response | Promise<Response> {
  const { c, home } = guest;
  const row = rowOf(guest, id);
  switch (row?.status) {
    case 'Processing':
    case 'Accepted':
      return bankUrl === null
        ? guestPage(c, 200, <ReceiptPage row={row} />, frameOf(guest))
        : bankStepPage(guest, row, bankUrl);
    case 'Declined':
      return c.redirect(`${home}?declined=${id}`, 303);
    case 'Failed':
      return c.redirect(`${home}?failed=${id}`, 303);
    default:
      return c.redirect(home, 303);
  }
}

async function bankStepPage(
  guest: GuestContext,
  row: TransactionRow,
  url: string,
): Promise<Response> {
  const { c, claims, folio, home } = guest;
  // The bank returns them to the session in which they began to pay: this one may be another.
  const returnsTo = row.returnUrl && homeIn(row.returnUrl);
  if (returnsTo && returnsTo !== home) await keepSealed(c, visitOf(returnsTo), claims);
  const nowMs = propertyNow(folio.state.property);
  const leftMs = bankStepUntilMs(folio.state, row, nowMs) - nowMs;
  return guestPage(c, 200, <BankStepPage row={row} url={url} leftMs={leftMs} />, frameOf(guest));
}

/** The path of the session whose payment has this page. */
function homeIn(returnUrl: string): string {
  return new URL(returnUrl).pathname.replace(/\/receipt\/\d+$/, '');
}
