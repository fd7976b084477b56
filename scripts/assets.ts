import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './environment.ts';
import { importBundled } from './importBundled.ts';
import { parsedMessages } from './messages.ts';
import { writeChanged } from './writeChanged.ts';

/** The shared files that each folder's own follow: the staff's pages have tables and lists, and tabs. */
const sharedFiles = {
  guest: ['base.css'],
  ops: ['base.css', 'desk.css', 'desk.js'],
  console: ['base.css', 'desk.css', 'desk.js'],
  docs: ['base.css', 'desk.css'],
} as const;

/** Styles and scripts of the pages, by their folder in `src/sites`. */
const pageFiles = {
  guest: ['guest.css', 'guest.js', 'element.js'],
  ops: ['ops.css', 'ops.js'],
  console: ['console.css', 'console.js'],
  docs: ['docs.css', 'docs.js'],
} as const;

/** The folders of messages that the Worker itself reads, by their folder in `public`. English is in the bundle. */
const words = { 'words/guest': 'locales', 'words/staff': 'locales/staff' } as const;

/**
 * Copies the files that pages load, and those that the Worker reads when somebody needs them, into `public/`, and makes the
 * OpenAPI document there.
 */
export async function copyAssets(): Promise<void> {
  const { makeDocument } = await importBundled<typeof import('./document/document.ts')>(
    'scripts/document/document.ts',
  );
  const document = path.join(root, 'public/openapi/document.json');
  writeChanged(document, JSON.stringify(makeDocument()));
  for (const folder of Object.keys(pageFiles) as (keyof typeof pageFiles)[]) copyPageFiles(folder);
  for (const [folder, from] of Object.entries(words)) {
    const names = readdirSync(path.join(root, from)).filter((name) => name.endsWith('.json'));
    for (const name of names.filter((one) => one !== 'en.json')) {
      const messages = JSON.parse(readFileSync(path.join(root, from, name), 'utf8'));
      writeChanged(
        path.join(root, 'public', folder, name),
        JSON.stringify(parsedMessages(messages)),
      );
    }
  }
}

function assetsOf(folder: string): string {
  return path.join(root, 'src/sites', folder, 'assets');
}

/** Copies a folder's files. Each begins with the shared ones of its kind, so that a page loads one style and one script. */
function copyPageFiles(folder: keyof typeof pageFiles): void {
  for (const file of pageFiles[folder]) {
    const shared = sharedFiles[folder].filter((one) => path.extname(one) === path.extname(file));
    const all = [
      ...shared.map((one) => path.join(assetsOf('web'), one)),
      path.join(assetsOf(folder), file),
    ];
    const text = all.map((one) => readFileSync(one, 'utf8')).join('\n');
    writeChanged(path.join(root, 'public', folder, file), text);
  }
}
