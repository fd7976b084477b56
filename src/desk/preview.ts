import type { Failure } from '../core/failure.ts';
import { ok, type Result } from '../core/result.ts';
import { selectGateway } from '../gateways/select.ts';
import { type QuoteWithId, readQuote } from '../money/payments/readQuote.ts';
import { propertyNow } from '../platform/propertyNow.ts';
import { type DeskAction, kindOf, mayAct } from './actions.ts';
import type { DeskWork } from './perform.ts';

/** What an action will do. `quote` is set for payments: the code that makes them says what they come to. */
export interface Preview {
  readonly quote: QuoteWithId | null;
  /** Why it would be refused; empty if it would not. */
  readonly refusals: readonly Failure[];
}

/** Says what an action would do, without doing it. Fails where its fields are at fault, or the person may not do it. */
export async function previewOf(
  work: DeskWork,
  action: DeskAction,
): Promise<Result<Preview, Failure>> {
  const may = mayAct(work.person, work.property, action);
  if (!may.ok) return may;
  if (action.do !== 'charge' && action.do !== 'schedule' && action.do !== 'hold') {
    return ok({ quote: null, refusals: [] });
  }
  const { config, database, env, keyring, property, reference } = work;
  const nowMs = propertyNow(property);
  const quoted = await readQuote(
    {
      database,
      keyring,
      name: { propertyId: property.id, reference },
      nowMs,
      stepMinor: selectGateway(config, env).amountStepMinor(property.currency),
    },
    {
      kind: kindOf[action.do],
      atMs: action.do === 'schedule' ? action.time.atMs : nowMs,
      currency: property.currency,
      requestedMinor: action.amountMinor,
      virtualCard: false,
      description: action.description,
      purpose: action.purpose,
      cardToken: action.cardToken,
      described: {},
    },
  );
  return quoted.ok ? ok({ quote: quoted.value, refusals: quoted.value.refusals }) : quoted;
}
