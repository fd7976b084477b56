import { callAsAdmin, makeProperty } from '../api.ts';
import type { Terms } from './state.ts';
import { ZONE } from './times.ts';

/** The properties that the stories play at: each story has one for itself, so that it can change what that lays down. */
export const properties = Array.from({ length: 8 }, (_, index) => `model-${index + 1}`);

/** Makes them. */
export async function makeProperties(): Promise<void> {
  for (const id of properties) await makeProperty(id, fixed(id));
}

/** Lets a property lay down something else. */
export async function putTerms(id: string, terms: Terms): Promise<void> {
  const { status, json } = await callAsAdmin('/admin/v1/property/put', {
    property: id,
    name: `Property ${id}`,
    site: `${id}.localhost`,
    currency: 'AUD',
    ...fixed(id),
    cardFeeBasisPoints: terms.cardFeeBasisPoints,
    cardFeeByBrand: terms.cardFeeByBrand,
    transactionFee: terms.transactionFeeMinor / 100,
    keepSchedulesOnCancellation: terms.keepsSchedules,
    overchargeGuard: terms.guard,
    cardRecovery: terms.recovery,
  });
  if (status !== 200) throw new Error(`property/put: ${status} ${JSON.stringify(json)}`);
}

/** What stays as it is. */
function fixed(id: string) {
  return {
    timeZone: ZONE.name,
    pms: { url: 'http://127.0.0.1:8790/model', username: id, password: 'model' },
  };
}
