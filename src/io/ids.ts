import { MoneyIds } from '../core/ids.ts';

/** Shared by all of an isolate, so that at least there no two ids collide. */
export const moneyIds = new MoneyIds(() => crypto.getRandomValues(new Uint16Array(1))[0] as number);
