import type { Language, Messages } from '../core/words/words.ts';
import type { Env } from './env.ts';
import { logError } from './log.ts';

/** How long a file may take: it comes from where this code is. */
const TIMEOUT_MS = 2_000;

/** What a static asset in JSON holds. Throws when it cannot be had. */
export async function readAsset({ ASSETS }: Pick<Env, 'ASSETS'>, path: string): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await ASSETS.fetch(`https://assets.invalid${path}`, { signal });
  if (answer.ok) return answer.json();
  throw new Error(`${path}: ${answer.status}`);
}

/** Learns messages in a language, unless this isolate knows them already. Throws when their file cannot be had. */
export async function learnLanguage(
  env: Pick<Env, 'ASSETS'>,
  messages: Messages<unknown>,
  language: Language,
): Promise<void> {
  if (messages.knows(language)) return;
  messages.learn(language, await readAsset(env, `${messages.folder}/${language}.json`));
}

/** The same for a page: without the file it is shown in English, and the next page tries again. */
export async function learnForPage(
  env: Pick<Env, 'ASSETS'>,
  messages: Messages<unknown>,
  language: Language,
): Promise<void> {
  try {
    await learnLanguage(env, messages, language);
  } catch (error) {
    logError('words_not_loaded', error, { language });
  }
}
