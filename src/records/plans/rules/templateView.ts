import { storedDecimal } from '../../../core/money.ts';
import type { PlanShare, PlanTerm } from '../../../schema/planSpec.ts';
import type { PlanTemplate } from '../../../schema/propertyTables.ts';

/** Shows a template as it was put, with amounts as decimals (interface: Templates). What was left out stays out. */
export function templateView({ key, name, offered, spec }: PlanTemplate, currency: string) {
  const { repeat, terms } = spec;
  return {
    key,
    name,
    offered,
    ...(terms.length > 0 && { terms: terms.map((term) => termView(term, currency)) }),
    ...(repeat && {
      repeat: {
        every: repeat.every,
        amount: storedDecimal(repeat.amountMinor, currency),
        ...given({ from: repeat.from, until: repeat.until, time: repeat.time }),
        days: repeat.days,
        lastPeriod: repeat.lastPeriod,
        ...given({ label: repeat.label }),
        transactionType: repeat.purpose,
      },
    }),
  };
}

function termView({ due, label, purpose, share }: PlanTerm, currency: string) {
  const { anchor, date, days, time } = due;
  return {
    ...given({ label }),
    transactionType: purpose,
    ...shareView(share, currency),
    due: { anchor, ...given({ date, days, time }) },
  };
}

function shareView(share: PlanShare, currency: string) {
  switch (share.kind) {
    case 'amount':
      return { amount: storedDecimal(share.amountMinor, currency) };
    case 'percent':
      return { percent: share.hundredths / 100 };
    case 'firstNight':
      return { firstNight: true as const };
    case 'rest':
      return { rest: true as const };
  }
}

function given<T extends object>(members: T) {
  const named = Object.entries(members).filter(([, value]) => value !== null);
  return Object.fromEntries(named) as { [K in keyof T]?: NonNullable<T[K]> };
}
