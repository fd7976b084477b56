import { makeProperty } from '../api.ts';
import { ZONE } from './clock.ts';
import type { Terms } from './state.ts';

/** The properties that the stories play at: their fees differ, and whether a cancelled booking keeps what lies ahead. */
export const properties: readonly { readonly id: string; readonly terms: Terms }[] = [
  {
    id: 'model-a',
    terms: {
      cardFeeBasisPoints: 105,
      cardFeeByBrand: { amex: 290 },
      transactionFeeMinor: 33,
      keepsSchedules: false,
    },
  },
  {
    id: 'model-b',
    terms: {
      cardFeeBasisPoints: 300,
      cardFeeByBrand: {},
      transactionFeeMinor: 0,
      keepsSchedules: true,
    },
  },
];

/** Makes them. */
export async function makeProperties(): Promise<void> {
  for (const { id, terms } of properties) {
    await makeProperty(id, {
      timeZone: ZONE.name,
      cardFeeBasisPoints: terms.cardFeeBasisPoints,
      cardFeeByBrand: terms.cardFeeByBrand,
      transactionFee: terms.transactionFeeMinor / 100,
      keepSchedulesOnCancellation: terms.keepsSchedules,
      pms: { url: 'http://127.0.0.1:8790/model', username: id, password: 'model' },
    });
  }
}
