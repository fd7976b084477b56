/** A heading of a page in Markdown. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  /** The fragment of a link to it, by GitHub's rules. */
  readonly anchor: string;
  /** Where it stands in the text. */
  readonly index: number;
}

/** The headings of a page, in their order. */
export function headingsOf(text: string): Heading[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text, false).matchAll(/^(#{1,6}) +(.+?) *$/gm)].map(
    ({ index, 1: hashes = '', 2: title = '' }) => {
      const name = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-');
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      const anchor = before === 0 ? name : `${name}-${before}`;
      return { level: hashes.length, title, anchor, index };
    },
  );
}

/** Replaces code by blanks, so that every line keeps its number; `inline` includes code within a line. */
export function withoutCode(text: string, inline = true): string {
  const prose = text.replace(/^(```|~~~)[^\n]*\n[\s\S]*?^\1/gm, blank);
  return inline ? prose.replace(/`[^`\n]*`/g, blank) : prose;
}

function blank(code: string): string {
  return code.replace(/[^\n]/g, ' ');
}
