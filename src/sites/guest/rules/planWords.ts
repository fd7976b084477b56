import { isolated } from '../../../core/format.ts';
import { sumOf } from '../../../core/sum.ts';
import type { Reader } from '../../../core/words/reader.ts';
import { dueTimeOf } from '../../../money/payments/rules.ts';
import type { OfferedPlan } from '../../../money/plans/choice.ts';
import { lackingMinor } from '../../../records/plans/rules/follow.ts';
import { termOf } from '../../../records/plans/rules/parts.ts';
import { takesNoFee } from '../../../records/properties/rules/feeTerms.ts';
import type { TransactionRow } from '../../../schema/moneyTables.ts';
import type { PlanSpec } from '../../../schema/planSpec.ts';
import type { PlanPart } from '../../../schema/planTables.ts';
import type { PropertyRow } from '../../../schema/propertyTables.ts';

/** A charge to come: how much, and when. */
export function scheduledLine(
  row: Pick<
    TransactionRow,
    'amountMinor' | 'createdAtMs' | 'currency' | 'dueAtMs' | 'scheduledAtMs'
  >,
  timeZone: string,
  { instant, money, words }: Reader,
): string {
  return words.scheduled.line({
    amount: money(row.amountMinor, row.currency),
    time: instant(dueTimeOf(row), timeZone),
  });
}

/** A part of a plan that is still to be charged: its name, if it has one, what it lacks, and when. */
export function partLine(
  { currency, spec }: { readonly currency: string; readonly spec: PlanSpec },
  part: PlanPart,
  timeZone: string,
  { instant, money, words }: Reader,
): string {
  const { label } = termOf(spec, part.id);
  const line = words.scheduled.line({
    amount: money(lackingMinor(part), currency),
    time: instant(part.dueAtMs, timeZone),
  });
  return label === null ? line : `${isolated(label)}: ${line}`;
}

/** What the page of a plan says that its guest agrees to, but for its button. */
export function planWords(
  reader: Reader,
  { parts, template }: OfferedPlan,
  property: PropertyRow,
  card: string,
) {
  const { plan } = reader.words;
  const { currency, name, timeZone } = property;
  const lacking = parts.map((part) => ({ minor: lackingMinor(part) }));
  return {
    parts: parts.map((part) => partLine({ currency, spec: template.spec }, part, timeZone, reader)),
    total: plan.total({ amount: reader.money(sumOf(lacking, 'minor'), currency) }),
    said: [
      plan.onCard({ card }),
      ...(takesNoFee(property, property.feeRules) ? [] : [plan.fees]),
      plan.agree({ property: isolated(name) }),
    ],
  };
}
