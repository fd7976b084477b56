/** Recorded examples as the OpenAPI document shows them: the same in each run, and short. */

/** Words that are drawn at random, and what stands for the `n`-th of them. The form of each stays. */
const DRAWN: readonly (readonly [RegExp, (n: number, found: string) => string])[] = [
  [
    /(?<="sha256": ")[0-9a-f]{64}/g,
    () => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (n) => `01998f00-0000-7000-8000-${padded(n, 12)}`],
  [/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g, (n) => `9f86d081884c7d659a2feaa0c55a${padded(n, 4)}`],
  [/(?<=sandbox_|vault_)[0-9a-f]{24}/g, (n) => `9f86d081884c7d659a2f${padded(n, 4)}`],
  [/evt_\d+_[0-9a-f]{16}/g, (n) => `evt_${n}_9f86d081884c${padded(n, 4)}`],
  [/APP-[0-9A-Z]{10}/g, (n) => `APP-7K3M0QZ9${padded(n, 2)}`],
  [/(?<!\d)\d{15}(?!\d)/g, (n) => String(371_022_640_840_702 + 2 * n)],
  [/(?<=whsec_)[\w+/=-]+/g, () => 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [
    /(?<="access_token": ")[^"]+/g,
    () => 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImxvY2FsLTEifQ.e30.c2lnbmF0dXJl',
  ],
  [/(?<="nextCursor": ")(?!evt_)[^"]+/g, () => 'WyJsaXN0IiwiZGVtbyIsIjEiXQ'],
  [
    /(?<="(?:clientSecret|password|Password)": ")[^"]+/g,
    () => 'YQXiSiEBHJOF95JnB74GmdyTmD5ALmXtVgy9tian1gg',
  ],
  [/(?<="(?:quoteId|cancellationQuoteId)": ")[^"]+/g, () => 'local-1.c2VhbGVkLXF1b3Rl'],
  [/(?<=payments\?)[^"]+/g, () => 'local-1.c2VhbGVkLWxpbms'],
  [/(?<="milliseconds": )\d+/g, () => '12'],
];

function padded(n: number, digits: number): string {
  return String(n).padStart(digits, '0');
}

/** The text of recorded examples: at most one entry of each list of objects, and words that no draw changes. */
export function recordedText(examples: object, names: ReadonlyMap<string, string>): string {
  const text = JSON.stringify(examples, (_, value: unknown) => firstOf(value), 2);
  const named = [...names].reduce((all, [word, shown]) => all.replaceAll(word, shown), text);
  return `${DRAWN.reduce(steady, named)}\n`;
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) && typeof value[0] === 'object' ? value.slice(0, 1) : value;
}

function steady(text: string, [form, make]: (typeof DRAWN)[number]): string {
  const known = new Map<string, string>();
  return text.replace(form, (found: string) => {
    const made = known.get(found) ?? make(known.size + 1, found);
    known.set(found, made);
    return made;
  });
}
