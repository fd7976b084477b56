import type { Stripe } from 'stripe';
import { refusal, type TakeOverOutcome } from '../vault.ts';
import { accountOptions, describedCard, tokenOf } from './cards.ts';
import { isMissing } from './errors.ts';
import { notSetUp, notVaulted, setUpAbsent, setupParams } from './vault.ts';

/**
 * Takes over a card that the account keeps (stripe: Cards): a payment method (`pm_…`), which is set up for its customer,
 * or for one of its own; or a setup (`seti_…`) that its engine finished for charges while the holder is away. Never throws.
 */
export async function takeOverCard(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<TakeOverOutcome> {
  const options = accountOptions(account);
  try {
    if (id.startsWith('seti_')) return await finished(stripe, id, account);
    if (!id.startsWith('pm_')) return absent('neither a payment method nor a setup');
    const method = await stripe.paymentMethods.retrieve(id, {}, options);
    if (!method.card) return absent('the payment method is no card');
    const customer = idOf(method.customer) ?? (await stripe.customers.create({}, options)).id;
    const setup = await setUpAbsent(stripe, setupParams(customer, id), options);
    return setup.status === 'succeeded' ? taken(method, customer, account) : notSetUp(setup);
  } catch (error) {
    return isMissing(error) ? absent('the account has no such card') : notVaulted(error);
  }
}

/** The card of a setup that is finished already. */
async function finished(
  stripe: Stripe,
  id: string,
  account: string | null,
): Promise<TakeOverOutcome> {
  const options = accountOptions(account);
  const expand = { expand: ['payment_method'] };
  const setup = await stripe.setupIntents.retrieve(id, expand, options);
  const { payment_method: method, status, usage } = setup;
  if (status !== 'succeeded') return absent(`the card setup is ${status}`);
  if (usage !== 'off_session') return absent(`the card was set up for ${usage}`);
  if (typeof method !== 'object' || method === null) return absent('the setup has no card');
  const known = idOf(method.customer);
  if (known !== null) return taken(method, known, account);
  if (setup.customer !== null) return absent('the card was detached from its customer');
  const customer = await stripe.customers.create({}, options);
  await stripe.paymentMethods.attach(method.id, { customer: customer.id }, options);
  return taken(method, customer.id, account);
}

function taken(
  method: Stripe.PaymentMethod,
  customer: string,
  account: string | null,
): TakeOverOutcome {
  const card = describedCard(method);
  if (card === null) return absent('the payment method is no card');
  return { kind: 'vaulted', gatewayToken: tokenOf(account, customer, method.id), card };
}

function idOf(one: string | { readonly id: string } | null): string | null {
  return typeof one === 'string' ? one : (one?.id ?? null);
}

function absent(reason: string): TakeOverOutcome {
  return { kind: 'absent', refusal: refusal(reason) };
}
