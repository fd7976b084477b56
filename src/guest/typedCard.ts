import { vaultCard } from '../cards/actions.ts';
import { selectGateway } from '../gateways/select.ts';
import type { AppContext } from '../http/context.ts';
import { countCardEntry } from './cardEntries.ts';
import type { CardPlace, Entered } from './cardEntry.tsx';
import { readCardForm } from './cardForm.ts';

/** Takes a card from our own form to the vault and keeps its token. The number is in no answer and no log. */
export async function enterTypedCard(
  c: AppContext,
  form: Readonly<Record<string, string>>,
  place: CardPlace,
): Promise<Entered> {
  const typed = readCardForm(form);
  if (!typed.ok) return { kind: 'faulty', faults: typed.error };
  const { entry, facts, attempt } = typed.value;
  const nowMs = Date.now();
  const { linkId, property, enteredBy, requestId, keep } = place;
  const { id: propertyId, stripeAccount } = property;
  const verdict = await countCardEntry(c.get('database'), { attempt, linkId, atMs: nowMs });
  if (verdict.kind !== 'counted') return verdict;
  const gateway = selectGateway(c.get('config'), c.env);
  const kept = { propertyId, enteredBy, requestId, createdAtMs: nowMs };
  const vaulted = await vaultCard(gateway, c.get('crossings'), entry, facts, stripeAccount, kept);
  const saved = vaulted.ok ? await keep(vaulted.value) : vaulted;
  return saved.ok ? { kind: 'added' } : { kind: 'refused', failure: saved.error };
}
