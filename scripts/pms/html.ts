/** HTML that is safe to send. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template tag that escapes all values except HTML from this tag. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.map((part, index) => `${part}${written(values[index])}`).join(''));
}

function written(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(written).join('');
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
