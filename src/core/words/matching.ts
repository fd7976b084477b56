import { type Language, languages } from './words.ts';

/** Makes a tag comparable: its language and script, `zh-CN` as `zh-Hans`. Null for what is no tag. */
function written(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

const known = new Map(languages.map((language) => [written(language), language]));

/** The first language of these tags that pages are written in, in whatever region; null if there is none. */
export function matchLanguage(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const found = known.get(written(tag));
    if (found !== undefined) return found;
  }
  return null;
}
