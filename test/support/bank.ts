/** The guest's bank, as the sandbox plays it. */
import type { Guest, Page } from './guest.ts';

/** The path of the bank's page that a payment's page leads to. */
export function bankUrlIn(html: string): string {
  const [, url = ''] = /href="([^"]+)"[^>]*>\s*Continue to your bank/.exec(html) ?? [];
  return url.replace(/^https?:\/\/[^/]+/, '');
}

/** Follows a payment's page to the bank. */
export async function toBank(guest: Guest): Promise<Page> {
  return guest.open(bankUrlIn(guest.page.html));
}

/** Allows a payment on the bank's page that is shown. */
export async function allow(guest: Guest): Promise<Page> {
  return guest.post(guest.page.path, { decision: 'allow' });
}

/** Refuses a payment on the bank's page that is shown. */
export async function refuse(guest: Guest): Promise<Page> {
  return guest.post(guest.page.path, { decision: 'refuse' });
}

/** Gives up the payment whose page is shown. */
export async function cancelPayment(guest: Guest): Promise<Page> {
  return guest.post(`${guest.page.path}/cancel`, {});
}
