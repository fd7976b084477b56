import { readQuote } from '../../../src/money/payments/quote.ts';
import { requireConfig } from '../../../src/platform/config.ts';
import { Database } from '../../../src/platform/db/database.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { testEnv } from '../api.ts';
import type { Operation } from './operation.ts';
import type { Place } from './service.ts';
import { type Answer, refusal } from './state.ts';

/** The ids of the quotes that were made, by the model's names. */
const quoteIds = new Map<string, string>();

/** Asks the service for a quote, and remembers its id. */
export async function quote(
  { propertyId, reference }: Place,
  operation: Extract<Operation, { do: 'quote' }>,
  nowMs: number,
): Promise<Answer> {
  const { kind, name, purpose, requestedMinor, token, virtual } = operation;
  const { keyring } = await requireConfig(testEnv);
  const database = new Database(testEnv.DB, new Trace());
  const quoted = await readQuote(
    { database, keyring, name: { propertyId, reference }, nowMs, stepMinor: 1 },
    {
      kind,
      atMs: nowMs,
      currency: 'AUD',
      requestedMinor,
      virtualCard: virtual,
      description: null,
      purpose,
      cardToken: token,
      described: {},
    },
  );
  if (!quoted.ok) return refusal(quoted.error.code);
  const { dueAfterMinor, dueBeforeMinor, priced, quoteId, refusals, warnings } = quoted.value;
  quoteIds.set(name, quoteId);
  const shown = {
    amountMinor: priced.amountMinor,
    dueBeforeMinor,
    dueAfterMinor,
    refusals: refusals.map(({ code }) => code),
    warnings,
  };
  return { ...refusal('ok'), quote: shown };
}

export function quoteIdOf(name: string): string {
  return quoteIds.get(name) ?? 'none';
}
