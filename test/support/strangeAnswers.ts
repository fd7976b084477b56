/** What is wrong with an answer by the OpenAPI document. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { http } from './api.ts';

/** An operation of the document. */
export interface Operation {
  readonly security?: Record<string, string[]>[];
  readonly parameters?: readonly { readonly name: string; readonly in: 'header' | 'query' }[];
  readonly responses: Record<string, { readonly content?: Record<string, { schema: Schema }> }>;
}

/** The document as it is served. */
export interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** Fetches the document. */
export async function servedDocument(): Promise<Document> {
  return (await http('/openapi.json')).json();
}

/** An answer whose body was read. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Reads an answer. */
export async function readAnswer(response: Response): Promise<ReadAnswer> {
  const { status, headers } = response;
  return { status, headers, text: new TextDecoder().decode(await response.arrayBuffer()) };
}

/** The statuses of what is this service's own fault: the caller's never. */
const OUR_FAULTS = [500, 503, 504];

/** Compares answers with the document. */
export class DocumentChecker {
  readonly #document: Document;
  readonly #validators = new Map<string, Validator>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** What is wrong with an operation's answer; null when nothing is. */
  fault(method: string, path: string, answer: ReadAnswer): string | null {
    const { status, text } = answer;
    if (OUR_FAULTS.includes(status)) return `${status} ${text}`;
    const described = this.#document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
    if (described && !described.content) return text === '' ? null : `${status} has a body`;
    const type = typeOf(answer);
    const content = described?.content?.[type];
    return content
      ? this.#mismatch(`${method} ${path} ${status} ${type}`, content.schema, answer)
      : `${status} ${type} is not described: ${text}`;
  }

  /** What is wrong with a problem that no operation answers, because none has the path and the method. */
  problemFault(answer: ReadAnswer, method: string): string | null {
    const { status, headers, text } = answer;
    if (status !== 404 && status !== 405) return `${status} ${text}`;
    if (status === 405 && !headers.get('Allow')) return '405 without Allow';
    if (method === 'HEAD') return text === '' ? null : 'HEAD has a body';
    if (typeOf(answer) !== 'application/problem+json') return `${typeOf(answer)} is no problem`;
    return this.#mismatch('problem', { $ref: '#/components/schemas/Problem' }, answer);
  }

  #mismatch(name: string, schema: Schema, answer: ReadAnswer): string | null {
    const whole = { ...schema, components: this.#document.components } as Schema;
    const validator = this.#validators.get(name) ?? new Validator(whole, '2020-12', true);
    this.#validators.set(name, validator);
    const isJson = typeOf(answer).endsWith('json') && !typeOf(answer).endsWith('ndjson');
    const { valid, errors } = validator.validate(isJson ? JSON.parse(answer.text) : answer.text);
    return valid ? null : `${JSON.stringify(errors.slice(-2))} in ${answer.text}`;
  }
}

function typeOf({ headers }: ReadAnswer): string {
  return headers.get('Content-Type')?.split(';')[0] ?? '';
}
