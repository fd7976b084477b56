import type { Stripe } from 'stripe';
import { withinDeadline } from '../deadline.ts';
import {
  type CardEntry,
  type NotVaulted,
  type Refusal,
  refusal,
  type TakeOverOutcome,
  type VaultOutcome,
} from '../vault.ts';
import { accountOptions, describedCard, idOf, tokenOf, traitsOf } from './cards.ts';
import { stripeDecline } from './declines.ts';
import {
  isMissing,
  isRefusedFor,
  outcomeOfError,
  refusalOfError,
  withoutNumbers,
} from './errors.ts';

/**
 * Stores a card by its number, which Stripe must have allowed for the account. A card that somebody else hands over than
 * its holder on a page is a mail or telephone order (MOTO): its bank need not verify the holder. Never throws.
 */
export async function vaultCard(
  stripe: Stripe,
  card: CardEntry,
  account: string | null,
  isPresent: boolean,
): Promise<VaultOutcome> {
  const options = accountOptions(account);
  try {
    const method = await stripe.paymentMethods.create(methodOf(card), options);
    const customer = await stripe.customers.create({}, options);
    const params = setupParams(customer.id, method.id);
    const setup = isPresent
      ? await stripe.setupIntents.create(params, options)
      : await setUpAbsent(stripe, params, options);
    if (setup.status !== 'succeeded') return notSetUp(setup);
    const gatewayToken = tokenOf(account, customer.id, method.id);
    return { kind: 'vaulted', gatewayToken, traits: traitsOf(method) };
  } catch (error) {
    return notVaulted(error);
  }
}

/** Storing a card charges nothing, so that one with an unknown outcome can safely count as refused. */
export async function stored<T>(
  call: Promise<T>,
): Promise<T | { readonly kind: 'refused'; readonly refusal: Refusal }> {
  const answer = await withinDeadline(call.then((outcome) => ({ outcome })));
  return 'outcome' in answer
    ? answer.outcome
    : { kind: 'refused', refusal: refusal(answer.reason) };
}

/** Sets up a card that somebody else handed over than its holder on a page. */
function setUpAbsent(
  { setupIntents }: Stripe,
  params: Stripe.SetupIntentCreateParams,
  options: Stripe.RequestOptions,
): Promise<Stripe.SetupIntent> {
  return setupIntents.create({ ...params, ...MOTO }, options).catch((error: unknown) => {
    // Stripe may let the account take no mail and telephone orders.
    if (!isRefusedFor(error, 'moto', /\bmoto\b/i)) throw error;
    return setupIntents.create(params, options);
  });
}

/** Says that the card came by mail or telephone. */
const MOTO = {
  payment_method_options: { card: { moto: true } },
} satisfies Partial<Stripe.SetupIntentCreateParams>;

/** What a card is set up with, so that it can be charged while its holder is away. */
function setupParams(customer: string, method: string): Stripe.SetupIntentCreateParams {
  return {
    customer,
    payment_method: method,
    usage: 'off_session',
    confirm: true,
    allowed_payment_method_types: ['card'],
  };
}

function methodOf(card: CardEntry): Stripe.PaymentMethodCreateParams {
  return {
    type: 'card',
    card: {
      number: card.number,
      exp_month: card.expiryMonth,
      exp_year: card.expiryYear,
      ...(card.cvv !== null && { cvc: card.cvv }),
    },
    ...(card.holderName !== null && { billing_details: { name: card.holderName } }),
  };
}

/** Why a setup stored no card: its bank declined it, or wants to see the cardholder. */
export function notSetUp({ last_setup_error: failed, status }: Stripe.SetupIntent): NotVaulted {
  const reason = `the card setup is ${status}`;
  if (status === 'requires_action') {
    return {
      kind: 'declined',
      declineCode: 'authentication_required',
      refusal: refusal(reason),
    };
  }
  if (failed?.type !== 'card_error') return { kind: 'refused', refusal: refusal(reason) };
  const { declineCode } = stripeDecline(failed);
  const message = failed.message === undefined ? null : withoutNumbers(failed.message);
  const parameter = failed.param ?? null;
  return { kind: 'declined', declineCode, refusal: refusal(declineCode, { message, parameter }) };
}

/** Why a request stored no card. */
export function notVaulted(error: unknown): NotVaulted {
  const outcome = outcomeOfError(error);
  const said = refusalOfError(error);
  return outcome.kind === 'declined'
    ? { kind: 'declined', declineCode: outcome.declineCode, refusal: said }
    : { kind: 'refused', refusal: said };
}

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

function absent(reason: string): TakeOverOutcome {
  return { kind: 'absent', refusal: refusal(reason) };
}
