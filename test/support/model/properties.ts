import { requireConfig } from '../../../src/platform/config.ts';
import { Database } from '../../../src/platform/db/database.ts';
import { Trace } from '../../../src/platform/trace.ts';
import { putProperty } from '../../../src/records/properties/actions.ts';
import { makeProperty, testEnv } from '../api.ts';
import type { Terms } from './state.ts';
import { ZONE } from './times.ts';

/** The properties that the stories play at: each story has one for itself, so that it can change what that lays down. */
export const properties = Array.from({ length: 8 }, (_, index) => `model-${index + 1}`);

/** Makes them. */
export async function makeProperties(): Promise<void> {
  for (const id of properties) await makeProperty(id, fixed(id));
}

/** Lets a property lay down something else, by the clock of its booking. */
export async function putTerms(id: string, terms: Terms, nowMs: number): Promise<void> {
  const { keyring } = await requireConfig(testEnv);
  const put = await putProperty(
    new Database(testEnv.DB, new Trace()),
    keyring,
    {
      property: id,
      name: `Property ${id}`,
      site: `${id}.localhost`,
      currency: 'AUD',
      ...fixed(id),
      cardFeeBasisPoints: terms.cardFeeBasisPoints,
      cardFeeByBrand: { ...terms.cardFeeByBrand },
      transactionFeeMinor: terms.transactionFeeMinor,
      keepSchedulesOnCancellation: terms.keepsSchedules,
      overchargeGuard: terms.guard,
      cardRecovery: terms.recovery,
      merchantAccount: terms.account,
    },
    { clientId: 'model', nowMs },
  );
  if (!put.ok) throw new Error(`property/put: ${JSON.stringify(put.error)}`);
}

/** What stays as it is. */
function fixed(id: string) {
  return {
    timeZone: ZONE.name,
    pms: { url: 'http://127.0.0.1:8790/model', username: id, password: 'model' },
  };
}
