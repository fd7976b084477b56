/**
 * `npm run docs` writes the tables of members in the documents, from the OpenAPI document that the code makes: each
 * between a marker that names a schema, an operation or a message, and the next `<!-- end -->`. `npm run check:docs`
 * fails where one is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { document } from './docs/document.ts';
import { type Heading, headingsOf } from './docs/headings.ts';
import { type Marker, markersOf, schemaOf } from './docs/markers.ts';
import { markdownOf, tablesOf } from './docs/tables.ts';
import { root } from './environment.ts';

/** In the order in which a heading is looked for that a meaning names: `see Fees`. */
const PAGES = ['interface', 'pms', 'exports', 'deploy', 'operate'];

/** Schemas that a text tells of and no table, and its heading. */
const TOLD: Readonly<Record<string, string>> = {
  CardDetails: 'The card object',
  TransactionDispute: 'Disputes',
  Reference: 'Data types',
  ChargeId: 'Data types',
  Amount: 'Amounts',
  Cost: 'Amounts',
};

const pages = PAGES.map((name) => {
  const text = readFileSync(path.join(root, `docs/${name}.md`), 'utf8');
  return { name, text, headings: headingsOf(text), markers: markersOf(text) };
});
type Page = (typeof pages)[number];

const stale = pages.filter((page) => {
  const text = written(page);
  if (text === page.text) return false;
  if (!process.argv.includes('--check')) {
    writeFileSync(path.join(root, `docs/${page.name}.md`), text);
    return false;
  }
  console.error(`docs/${page.name}.md is out of date. Run npm run docs.`);
  return true;
});
if (stale.length > 0) process.exitCode = 1;

/** A page with the tables of its markers. */
function written(page: Page): string {
  return page.markers.toReversed().reduce((text, marker) => {
    const { begin, end } = marker;
    return `${text.slice(0, begin)}\n${blockOf(page, marker)}\n${text.slice(end)}`;
  }, page.text);
}

function blockOf(page: Page, marker: Marker): string {
  const { schemas } = document.components;
  const named = { schemas, nameOf: (name: string) => linkToSchema(page, name) };
  const tables = tablesOf(schemaOf(document, marker), named, marker.only, marker.of);
  return tables.map((table) => withLinks(page, markdownOf(table))).join('\n\n');
}

/** A link to the table of a schema, or to what tells of its values; null if there is none. */
function linkToSchema(from: Page, name: string): string | null {
  const told = TOLD[name];
  if (told !== undefined) return `[${name}](${linkTo(from, told)})`;
  for (const page of pages) {
    const marker = page.markers.find((one) => one.kind === 'members' && one.name === name);
    if (marker) return `[${name}](${addressIn(from, page, headingAbove(page, marker.begin))})`;
  }
  return null;
}

function headingAbove({ headings, name }: Page, index: number): Heading {
  const above = headings.findLast((heading) => heading.index < index);
  if (!above) throw new Error(`A marker of docs/${name}.md stands above all headings`);
  return above;
}

/** Makes a link of each heading that a meaning names. */
function withLinks(page: Page, table: string): string {
  const titles = pages
    .flatMap(({ headings }) => headings.map(({ title }) => title))
    .toSorted((one, other) => other.length - one.length)
    .map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const named = new RegExp(`\\bsee (${titles.join('|')})(?=[^\\p{L}]|$)`, 'gu');
  const linked = table.replaceAll(
    named,
    (_, title: string) => `see [${title}](${linkTo(page, title)})`,
  );
  const [unknown] = /\bsee [A-Z].*/.exec(linked) ?? [];
  if (unknown !== undefined) throw new Error(`No heading is named so: ${unknown}`);
  return linked;
}

function linkTo(from: Page, title: string): string {
  for (const page of [from, ...pages]) {
    const heading = page.headings.find((one) => one.title === title);
    if (heading) return addressIn(from, page, heading);
  }
  throw new Error(`No page has the heading ${title}`);
}

function addressIn(from: Page, page: Page, { anchor }: Heading): string {
  return page === from ? `#${anchor}` : `${page.name}.md#${anchor}`;
}
