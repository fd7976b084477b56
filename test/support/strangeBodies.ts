/** Ways of writing a body that few programs use, or none: what a reader must survive before it looks at any field. */
import * as fc from 'fast-check';

/** A body as it is sent. */
export interface Written {
  readonly body: BodyInit;
  /** What its writer says about it. */
  readonly headers?: Readonly<Record<string, string>>;
}

type Writer = (json: string) => Written | Promise<Written>;

const utf8 = (text: string) => new TextEncoder().encode(text);

const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, charCode).buffer);

const latin1 = (text: string) => Uint8Array.from(text, (one) => charCode(one) & 0xff);

function charCode(one: string): number {
  return one.charCodeAt(0);
}

async function squeezed(text: string, format: 'gzip' | 'deflate'): Promise<ArrayBuffer> {
  const stream = new Response(text).body?.pipeThrough(new CompressionStream(format));
  return new Response(stream).arrayBuffer();
}

function type(value: string): { readonly 'Content-Type': string } {
  return { 'Content-Type': value };
}

/** Encodings: some are read as what they mean, others are none of this interface. */
const encodings: readonly Writer[] = [
  (json) => ({ body: utf8(`\ufeff${json}`) }),
  (json) => ({ body: utf16(json), headers: type('application/json; charset=utf-16') }),
  (json) => ({ body: utf16(`\ufeff${json}`) }),
  (json) => ({ body: latin1(json), headers: type('application/json; charset=iso-8859-1') }),
  (json) => ({ body: utf8(json), headers: type('application/json; charset="nonsense"') }),
  (json) => ({ body: utf8(`${json}\u0000`) }),
  () => ({ body: Uint8Array.of(0x7b, 0xff, 0xfe, 0xc0, 0x80, 0x7d) }),
  async (json) => ({ body: await squeezed(json, 'gzip'), headers: { 'Content-Encoding': 'gzip' } }),
  async (json) => ({ body: await squeezed(json, 'gzip') }),
  async (json) => ({
    body: await squeezed(json, 'deflate'),
    headers: { 'Content-Encoding': 'deflate' },
  }),
  (json) => ({ body: json, headers: { 'Content-Encoding': 'gzip' } }),
  (json) => ({ body: json, headers: { 'Content-Encoding': 'br, gzip, nonsense' } }),
  // Without a length, as a stream of pieces.
  (json) => ({ body: piecesOf(json) }),
];

function piecesOf(text: string): ReadableStream<Uint8Array> {
  const bytes = utf8(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
}

/** What a body calls itself. */
const types: readonly string[] = [
  '',
  'application/json',
  'APPLICATION/JSON;charset=UTF-8',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'Multipart/Form-Data; boundary=x',
  'multipart/mixed',
  'text/xml; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  ';',
  'x'.repeat(3_000),
];

/** Numerals that are no number, or no number that a machine holds. */
const numerals = [
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '-0.0',
  '0.1e-30',
  '123456789012345678901234567890',
  '9007199254740993',
  '1E+2',
  '4539578763621486',
  '00012',
  '+1',
  '.5',
  '5.',
  '0x10',
  'NaN',
  'Infinity',
  'true',
  'null',
];

/** How deep what is nested is: JSON of two bytes a level that still fits into a body. */
const DEPTHS = [50, 1_000, 15_000];

function nested(depth: number, [open, close]: readonly [string, string]): string {
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

const brackets: readonly (readonly [string, string])[] = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"":', '}]'],
];

/** Replaces one of the values of a JSON text. */
function withValueAt(json: string, at: number, value: string): string {
  const values = [...json.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"(?!\s*:)|[-\w.+]+)/g)];
  const chosen = values[at % Math.max(1, values.length)];
  if (!chosen) return value;
  return json.slice(0, chosen.index) + value + json.slice(chosen.index + chosen[0].length);
}

/** Changes of the text itself. */
const grammar: readonly ((json: string) => string)[] = [
  () => '',
  () => ' \n\t ',
  (json) => json.slice(0, -1),
  (json) => json.slice(0, json.length / 2),
  (json) => `${json}${json}`,
  (json) => `${json},`,
  (json) => `[${json}]`,
  (json) => JSON.stringify(json),
  (json) => `// json\n${json}`,
  (json) => json.replaceAll('"', "'"),
  (json) => json.replace(/\}$/, ',}'),
  (json) => `\u2028${json}`,
  (json) => `${' '.repeat(60_000)}${json}`,
  (json) => `${' '.repeat(70_000)}${json}`,
  // The last of two members of the same name is the one that is read.
  (json) => json.replace('{', '{"reference":"EXISTING-1","reference":"NOWHERE",'),
  (json) => json.replace('{', '{"MessageType":"Ping","amount":1,"property":[],'),
  (json) => json.replace(/\}$/, ',"amount":1,"reference":null,"MessageID":{}}'),
  (json) => json.replace(/\}$/, ',"__proto__":{"success":true},"constructor":{"prototype":1}}'),
  // Names and values with each character escaped mean the same.
  (json) =>
    json.replace(/"(\w+)"/g, (_, name: string) => {
      const escaped = Array.from(name, (one) => charCode(one).toString(16).padStart(4, '0'));
      return `"\\u${escaped.join('\\u')}"`;
    }),
];

/** A JSON text in one of these ways; as it is in half of all cases. */
export const writers: fc.Arbitrary<Writer> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Writer>((json) => ({ body: json })) },
  { weight: 2, arbitrary: fc.constantFrom(...encodings) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...types).map(
      (name): Writer =>
        (json) => ({ body: utf8(json), headers: type(name) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...grammar).map(
      (change): Writer =>
        (json) => ({ body: change(json) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(50), fc.constantFrom(...numerals)).map(
      ([at, numeral]): Writer =>
        (json) => ({ body: withValueAt(json, at, numeral) }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(50), fc.constantFrom(...DEPTHS), fc.constantFrom(...brackets)).map(
      ([at, depth, pair]): Writer =>
        (json) => ({ body: withValueAt(json, at, nested(depth, pair)) }),
    ),
  },
);
