import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './environment.ts';

const show = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/openapi.json', dom_id: '#interface', deepLinking: true, validatorUrl: null });
});
`;

/** The shared styles that each folder's own styles follow: those of the staff's pages have tables and lists. */
const sharedStyles = {
  guest: ['base.css'],
  ops: ['base.css', 'desk.css'],
  console: ['base.css', 'desk.css'],
} as const;

/** Styles and scripts of the pages, by their folder in `src/sites`. */
const pageFiles = {
  guest: ['guest.css', 'guest.js', 'element.js'],
  ops: ['ops.css'],
  console: ['console.css'],
} as const;

/** Copies the files that pages load into `public/`: Swagger UI, so that /docs needs no CDN, and the service's own. */
export function copyAssets(): void {
  const from = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = path.join(root, 'public', 'docs');
  mkdirSync(to, { recursive: true });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(path.join(from, file), path.join(to, file));
  }
  writeFileSync(path.join(to, 'show.js'), show);
  for (const folder of Object.keys(pageFiles) as (keyof typeof pageFiles)[]) copyPageFiles(folder);
}

function assetsOf(folder: string): string {
  return path.join(root, 'src/sites', folder, 'assets');
}

/** Copies a folder's files. Each style begins with the shared styles, so that a page loads one file. */
function copyPageFiles(folder: keyof typeof pageFiles): void {
  const shared = sharedStyles[folder]
    .map((file) => readFileSync(path.join(assetsOf('web'), file), 'utf8'))
    .join('\n');
  const to = path.join(root, 'public', folder);
  mkdirSync(to, { recursive: true });
  for (const file of pageFiles[folder]) {
    const own = readFileSync(path.join(assetsOf(folder), file), 'utf8');
    writeFileSync(path.join(to, file), file.endsWith('.css') ? `${shared}\n${own}` : own);
  }
}
