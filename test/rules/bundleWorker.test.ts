/** What the Worker is bundled from: modules without what only the OpenAPI document and migrations need, and messages that are parsed. */
import { describe, expect, it } from 'vitest';
import en from '../../locales/staff/en.json' with { type: 'json' };
import { trimmedModule } from '../../scripts/bundleWorker.ts';
import { parsedMessages } from '../../scripts/messages.ts';
import { messagesIn } from '../../src/core/words/words.ts';

const cases: readonly (readonly [what: string, text: string, left: string])[] = [
  ['a meaning', "const a = z.int().describe('it').optional();", 'const a = z.int().optional();'],
  [
    'a name and an example',
    "const a = z.string().openapi('A', { example: f('x') });",
    'const a = z.string();',
  ],
  [
    'meanings inside and outside of an object',
    "const a = z.object({ b: z.int().describe('b'), c: d }).describe('a').nullable();",
    'const a = z.object({ b: z.int(), c: d }).nullable();',
  ],
  [
    'meanings on lines of their own, which stay lines',
    "const a = z\n  .int()\n  .describe(\n    'it',\n  )\n  .min(1);",
    'const a = z\n  .int()\n\n\n\n  .min(1);',
  ],
  [
    'a meaning after letters of several bytes',
    "const ä = '→ é', a = z.int().describe('ü'), b = 'ß';",
    "const ä = '→ é', a = z.int(), b = 'ß';",
  ],
  [
    'an operation',
    "function f() {\n  api.openAPIRegistry.registerPath({\n    a: z.int().describe('it'),\n  });\n  return 1;\n}",
    'function f() {\n  void 0\n\n;\n  return 1;\n}',
  ],
  [
    'what an operation is for',
    "propertyOperation(api, { path: '/a', summary: 'It does', b });",
    "propertyOperation(api, { path: '/a',  b });",
  ],
  [
    'what an operation answers, and its problems',
    "adminOperation(api, {\n  path,\n  answer: { a: z.int().describe('a'),\n  },\n  problems: ['b', ...c],\n  handle: () => ({ answer: { d } }) });",
    'adminOperation(api, {\n  path,\n  \n\n  \n  handle: () => ({ answer: { d } }) });',
  ],
  [
    'checks and indexes of a table, which keeps its keys',
    "const a = sqliteTable('a', { b: text() }, (t) => [\n  check('c', sql`b > 1`), primaryKey(t.b),\n  uniqueIndex('d').on(t.b).where(sql`1`),\n  index('e').on(t.b),\n]);",
    "const a = sqliteTable('a', { b: text() }, (t) => [\n  , primaryKey(t.b),\n  ,\n  ,\n]);",
  ],
];

describe('a module without what the Worker does not need', () => {
  it.each(cases)('goes %s', (_, text, left) => {
    expect(trimmedModule(text, false)).toBe(left);
    expect(trimmedModule(`// ä\n\n${text}\n/* end */\n`, false)).toBe(
      `// ä\n\n${left}\n/* end */\n`,
    );
  });

  it.each([
    "const a = 'z.int().describe(1)'; // and .openapi(2)\n",
    "describe('it', () => openapi());\n",
    "keep({ answer: { link: a }, problems: ['b'] }); propertyOperation(api, { answer, problems });\n",
    "const a = { summary: words.of('it'), summaries: 'it' };\n",
    'check(z.int().min(1)); index(2).on(3); // .describe(4)\n',
    "const { describe } = z; a.describes('it'); a['describe']('it');\n",
    'const a = `z.int().describe(1)`;\n',
  ])('stays all else: %s', (text) => {
    expect(trimmedModule(text, false)).toBe(text);
  });

  it('reads pages too', () => {
    const page = (meaning: string) => `const a = <p class="b">{z.int()${meaning}} é</p>;\n`;
    expect(trimmedModule(page(".describe('it')"), true)).toBe(page(''));
  });
});

/** Every text of a catalogue, each number in it being `number`. */
function textsOf(catalogue: unknown, number: number): unknown {
  if (typeof catalogue === 'string') return catalogue;
  if (typeof catalogue === 'function') {
    return catalogue(new Proxy({}, { has: () => true, get: () => number }));
  }
  return Object.values(catalogue ?? {}).map((inner) => textsOf(inner, number));
}

it.each([1, 2, 1_000])('messages read the same as syntax trees: %d', (number) => {
  const parsed = parsedMessages(en) as typeof en;
  expect(parsed).not.toEqual(en);
  const [texts, others] = [en, parsed].map((one) => textsOf(messagesIn('', one).of('en'), number));
  expect(others).toEqual(texts);
});
