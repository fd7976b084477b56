/**
 * Fails when a comment cites a heading that the documentation lacks, when a link in the documentation leads nowhere, or when
 * either names a file of code that is not there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { headingsOf, withoutCode } from './docs/headings.ts';
import { root } from './environment.ts';

/** Comments cite a page by this name: `(pms: Retries)` is the heading "Retries" of `docs/pms.md`. */
const citedPages = ['architecture', 'events', 'exports', 'interface', 'parts', 'pms', 'stripe'];

const codeFolders = ['src', 'test', 'scripts', 'bench'];

/** A problem, and its line. */
interface Problem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

const pages = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  'migrations/README.md',
  'scripts/README.md',
  'test/README.md',
  'test/support/model/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const headings = new Map(pages.map((page) => [page, headingsOf(read(page))]));

const code = codeFiles();

const problems = [
  ...code.flatMap(wrongCitations),
  ...pages.flatMap(deadLinks),
  // The changelog names what was there then.
  ...[...code, ...pages.filter((page) => page !== 'CHANGELOG.md')].flatMap(missingFiles),
];
for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`);
if (problems.length > 0) process.exitCode = 1;

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function codeFiles(): string[] {
  return codeFolders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => path.join(folder, name)),
  );
}

/** Citations without a heading of level 2 or 3. Searches comments only, because a parameter can look like one. */
function wrongCitations(file: string): Problem[] {
  const text = read(file);
  const citation = new RegExp(`\\(((?:${citedPages.join('|')}):\\s[^()]*)\\)`, 'g');
  return commentsOf(text).flatMap(({ index, comment }) =>
    [...comment.matchAll(citation)].flatMap((match) =>
      (match[1] ?? '')
        // A line break of the comment can be inside a citation.
        .replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ')
        .split(/;\s*/)
        .filter((cited) => !isHeading(cited))
        .map((cited) => ({
          file,
          line: lineOf(text, index + match.index),
          message: `"${cited}" is not a heading of the documentation`,
        })),
    ),
  );
}

function commentsOf(text: string): { index: number; comment: string }[] {
  const comment = /(?<=^|[\s{(,;])(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
  return [...text.matchAll(comment)].map(({ index, 0: found }) => ({ index, comment: found }));
}

function isHeading(cited: string): boolean {
  const [page = '', ...rest] = cited.split(': ');
  const title = rest.join(': ').trim();
  const found = headings.get(`docs/${page}.md`) ?? [];
  return (
    citedPages.includes(page) &&
    found.some((heading) => heading.title === title && [2, 3].includes(heading.level))
  );
}

/** The relative links of a page whose file or heading does not exist. */
function deadLinks(page: string): Problem[] {
  const text = withoutCode(read(page));
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(({ index, 1: target = '' }) => ({ index, target }))
    .filter(({ target }) => !/^[a-z]+:/i.test(target) && !leadsSomewhere(page, target))
    .map(({ index, target }) => ({
      file: page,
      line: lineOf(text, index),
      message: `the link ${target} leads nowhere`,
    }));
}

/** The files of code that a page or a comment names, by a path or the end of one, and that do not exist. */
function missingFiles(file: string): Problem[] {
  const text = read(file);
  return [...text.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)]
    .map(({ index, 1: name = '' }) => ({ index, name }))
    .filter(({ name }) => !code.some((one) => one === name || one.endsWith(`/${name}`)))
    .map(({ index, name }) => ({
      file,
      line: lineOf(text, index),
      message: `there is no file ${name}`,
    }));
}

function leadsSomewhere(page: string, target: string): boolean {
  const [address = '', anchor] = target.split('#');
  const file = address === '' ? page : path.join(path.dirname(page), address);
  if (!existsSync(path.join(root, file))) return false;
  return anchor === undefined || (headings.get(file) ?? []).some((it) => it.anchor === anchor);
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
