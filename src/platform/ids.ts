import { hex, MoneyIds } from '../core/ids.ts';

/** One generator for each isolate, so that ids of one isolate never collide. */
export const moneyIds = new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] as number);

/** 32 random hex digits: the reference of a transaction or refund, or the token of a card. */
export function newReference(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
