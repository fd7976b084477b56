import { selectGateway } from '../../gateways/select.ts';
import type { AppContext } from '../../http/context.ts';
import { propertyNow } from '../../platform/propertyNow.ts';
import { vaultCard } from '../../records/cards/actions.ts';
import { countCardEntry } from '../../records/cards/entryLimit.ts';
import { agreementOf, isToPay } from '../../records/cards/rules.ts';
import { FEW_DIGITS, repeatable } from '../web/repeatable.ts';
import { readCardForm } from './cardForm.ts';
import { aboutEntry, type CardEntryContext, type EntryResult, notAgreed } from './entryResult.ts';
import { readerOfGuest } from './language.ts';

/** Sends a card from our own form to the vault and saves its token. The number appears in no answer and no log. */
export async function enterTypedCard(
  c: AppContext,
  form: Readonly<Record<string, string>>,
  context: CardEntryContext,
): Promise<EntryResult> {
  const nowMs = propertyNow(context.property);
  const typed = readCardForm(form, nowMs, readerOfGuest(c).words);
  if (!typed.ok) {
    const { cardExpiry = '', cardHolderName = '' } = form;
    const repeated = {
      cardExpiry: repeatable(cardExpiry, FEW_DIGITS),
      cardHolderName: repeatable(cardHolderName, FEW_DIGITS),
    };
    return { kind: 'invalid', issues: typed.error, repeated };
  }
  const agreement = agreementOf(form, context.agreement);
  if (agreement === null) return notAgreed();
  const { entry, facts, attempt } = typed.value;
  const { bookingReference, enteredBy, keep, linkId, property, requestId } = context;
  const { id: propertyId, merchantAccount } = property;
  const counted = { attempt, linkId, propertyId, bookingReference, atMs: nowMs };
  const verdict = await countCardEntry(c.get('database'), counted);
  if (verdict.kind !== 'counted') return verdict;
  const work = {
    gateway: selectGateway(c.get('config'), c.env),
    isPresent: true,
    trace: c.get('trace'),
    about: aboutEntry(c, context),
  };
  const enteredToPay = isToPay(agreement);
  const kept = { propertyId, enteredBy, enteredToPay, requestId, createdAtMs: nowMs };
  const vaulted = await vaultCard(work, entry, facts, merchantAccount, kept);
  const saved = vaulted.ok ? await keep(vaulted.value, agreement) : vaulted;
  return saved.ok ? { kind: 'added' } : { kind: 'failed', failure: saved.error };
}
