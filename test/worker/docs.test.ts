/** The pages that show the OpenAPI document: all of it, small, and with the document's own examples. */
import { expect, it } from 'vitest';
import ofInterface from '../../docs/interface.md?raw';
import { failures } from '../../src/core/failure.ts';
import type { OpenApiDocument } from '../../src/http/openApiDocument.ts';
import { entriesOf } from '../../src/sites/docs/document.ts';
import { firstChargeSteps, guides } from '../../src/sites/docs/pages/guides.tsx';
import { call, http } from '../support/api.ts';

/** The most that a page may weigh. */
const MOST_BYTES = 40 * 1024;

const document: OpenApiDocument = await (await http('/openapi.json')).json();
const entries = entriesOf(document);

/** Loads a page, which must be small and must allow nothing from elsewhere. */
async function pageAt(path: string): Promise<string> {
  const answer = await http(path);
  const html = await answer.text();
  expect([path, answer.status]).toEqual([path, 200]);
  expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  expect([path, new TextEncoder().encode(html).length < MOST_BYTES]).toEqual([path, true]);
  return html;
}

/** The text that HTML shows. */
function unescaped(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

it('the first page names every operation and message with its summary, and leads to its page', async () => {
  const html = unescaped(await pageAt('/docs'));
  for (const { page, name, operation } of entries) {
    expect(html).toContain(`<a href="${page}">${name}</a> ${operation.summary}`);
  }
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map((match) => match[1] ?? '')
    .filter((address) => !address.startsWith('data:'));
  for (const address of loaded) expect(address).toMatch(/^\/(?:docs\/|docs$|openapi\.json$)/);
  expect((await http('/docs/docs.css')).status).toBe(200);
});

it('every page shows the example of the document and every member of the body', async () => {
  for (const { page, isSent, operation } of entries) {
    const html = unescaped(await pageAt(page));
    const { schema, example } = operation.requestBody?.content?.['application/json'] ?? {};
    for (const name of Object.keys(schema?.properties ?? {})) {
      expect(html, page).toContain(`<th scope="row">${name}</th>`);
    }
    if (example === undefined) continue;
    if (isSent) expect(html, page).toContain(JSON.stringify(example, null, 2));
    const isTried = !isSent && operation.tags?.[0] !== 'gateway';
    const [, typed] = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(html) ?? [];
    expect(typed === undefined ? undefined : JSON.parse(typed), page).toEqual(
      isTried ? example : undefined,
    );
  }
});

it.each(['/docs/operations/payment/v1/nothing', '/docs/operations/', '/docs/messages/nothing'])(
  '%s is not there',
  async (path) => {
    expect((await http(path)).status).toBe(404);
  },
);

/** A section of the interface's page, up to the next one of its level or above. */
function sectionOf(heading: string): string {
  const [, section = ''] = ofInterface.split(`\n${heading}\n`);
  const level = heading.slice(0, heading.indexOf(' '));
  return section.split(new RegExp(`\n#{1,${level.length}} `))[0] ?? '';
}

it('the page of the interface names every operation that takes a key, and every code', () => {
  const taking = entries.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  );
  const keys = sectionOf('## Idempotency');
  const unnamed = taking.map(({ name }) => name).filter((name) => !keys.includes(`\`${name}\``));
  expect([taking.length > 15, unnamed]).toEqual([true, []]);
  const codes = sectionOf('### Statuses and codes');
  const missing = Object.entries(failures).filter(
    ([code, [status]]) => !new RegExp(`^\\| ${status} \\|.*\`${code}\``, 'm').test(codes),
  );
  expect(missing).toEqual([]);
});

it('an operation is found in any case', async () => {
  expect((await http('/Docs/Operations/payment/v1/CREATE')).status).toBe(200);
});

it('the first charge is made by sending the commands of its guide in their order', async () => {
  const html = unescaped(await pageAt('/docs/guides/first-charge'));
  const answers: [string, number][] = [];
  for (const { entry, body } of firstChargeSteps(document)) {
    expect(html).toContain(`'${JSON.stringify(body)}'`);
    answers.push([entry.name, (await call(entry.name, body)).status]);
  }
  expect(answers.length).toBeGreaterThan(5);
  expect(answers).toEqual(answers.map(([name]) => [name, 200]));
});

it('every guide is small and named beside every page; tables say every code and card', async () => {
  for (const { page, title } of guides) {
    expect(await pageAt(page)).toContain(`<h1>${title}</h1>`);
    expect(await pageAt('/docs/operations/payment/v1/create')).toContain(`<a href="${page}">`);
  }
  expect(await pageAt('/docs/guides/errors')).toContain('<th scope="row">possible_duplicate</th>');
  expect(await pageAt('/docs/guides/test-cards')).toContain('4000000000009995');
  const declines = await pageAt('/docs/guides/decline-codes');
  expect(declines).toContain('not enough money on the card');
  expect((await http('/docs/guides/nothing')).status).toBe(404);
});

it.each([
  ['refund', '/refund/v1/create'],
  ['limitToDue', '/payment/v1/schedule'],
  ['a charge  REFUND', '/refund/v1/create'],
])('a search for %s finds %s', async (query, path) => {
  const html = await pageAt(`/docs?${new URLSearchParams({ q: query }).toString()}`);
  expect(html).toContain(`<a href="/docs/operations${path}">`);
});

it('a search that finds nothing says so, and shows what was typed as text', async () => {
  const html = await pageAt('/docs?q=%22%3E%3Cscript%3E');
  expect(html).toContain('0 results');
  expect(html).not.toContain('<script>');
});
