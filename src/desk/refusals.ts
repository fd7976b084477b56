import type { Failure } from '../core/failure.ts';
import { staffMessages } from '../core/words/staff.ts';
import { declineCopy, languageNow, words } from './words.ts';

type Name = keyof typeof words.below;

interface Told {
  readonly name: Name;
  readonly pattern: RegExp;
}

/** Made when somebody first reads another language: no start and no English page needs it. */
let told: readonly Told[] | null = null;

/** How the rooms below say each refusal, in English: `{name}` in a text is whatever stands there. */
function refusalsTold(): readonly Told[] {
  told ??= Object.entries(staffMessages.english.below).map(([name, text]) => {
    const literally = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    const pattern = literally.replaceAll(/\{(\w+)\}/g, '(?<$1>.+)');
    return { name: name as Name, pattern: new RegExp(`^${pattern}$`) };
  });
  return told;
}

/** Why something was not done, for people at a desk: callers of the interface read other words. */
export function failureCopy({ code, detail, members }: Failure): string {
  const { notDone } = words.actions;
  switch (code) {
    case 'no_card':
      return notDone.noCard;
    case 'outcome_unknown':
      return notDone.outcomeUnknown;
    case 'card_declined':
      return members?.transaction
        ? notDone.declined({ reason: declineCopy(members.declineCode ?? null) })
        : refusalCopy(detail);
    case 'gateway_error':
      return members?.transaction ? notDone.gateway : refusalCopy(detail);
    default:
      return refusalCopy(detail);
  }
}

/** What is wrong with something that was sent, by each of its faulty fields. */
export function faultsCopy(failure: Failure): string {
  return (
    failure.fields?.map(({ message }) => refusalCopy(message)).join(' ') ?? failureCopy(failure)
  );
}

/**
 * A refusal of the rooms below, which say it in English, in the language of the request that is answered. One that nobody
 * has words for stays as it is.
 */
function refusalCopy(detail: string): string {
  if (languageNow() === 'en') return detail;
  for (const { name, pattern } of refusalsTold()) {
    const found = pattern.exec(detail);
    if (found === null) continue;
    const text: string | ((values: never) => string) = words.below[name];
    return typeof text === 'string' ? text : text({ ...found.groups } as never);
  }
  return detail;
}
