import { money } from '../../../../core/format.ts';
import type { CancellationPolicy, Keep } from '../../../../schema/propertyTables.ts';

/** A policy of cancellation as guests read it: its own words, or else its rules as sentences. */
export function policyWords({ noShow, rules, text }: CancellationPolicy, currency: string): string {
  if (text !== undefined) return text;
  const sentences = rules.map((rule) => {
    const { daysBeforeArrival: days, keep, time } = rule;
    if (days === undefined) return `Later, ${keptWords(keep, currency)} is kept.`;
    const until = time === undefined ? 'the end of the day' : time;
    return `Cancelled until ${until}, ${days} days before arrival, ${keptWords(keep, currency)} is kept.`;
  });
  const ofNoShow =
    noShow && `Of a guest who does not come, ${keptWords(noShow, currency)} is kept.`;
  return [...sentences, ...(ofNoShow ? [ofNoShow] : [])].join(' ');
}

function keptWords(keep: Keep, currency: string): string {
  if ('percent' in keep) return `${keep.percent} % of the price`;
  if ('firstNight' in keep) return 'the price of the first night';
  if ('amountMinor' in keep) return money(keep.amountMinor, currency);
  return 'paid' in keep ? 'what is paid' : 'nothing';
}
