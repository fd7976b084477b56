import { hex, MoneyIds } from '../core/ids.ts';

/** One generator for each isolate, so that ids of one isolate never collide. */
export const moneyIds = newMoneyIds();

/** A generator for ids of another time than the isolate's (interface: Test clock). */
export function newMoneyIds(): MoneyIds {
  return new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] as number);
}

/** 32 random hex digits: the reference of a transaction or refund, or the token of a card. */
export function newReference(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
