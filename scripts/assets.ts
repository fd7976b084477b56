import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './environment.ts';

const show = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/openapi.json', dom_id: '#interface', deepLinking: true, validatorUrl: null });
});
`;

/** What the guest's pages are dressed with. */
const guestFiles = ['guest.css', 'guest.js', 'element.js'];

/** Copies what pages load into the Worker's static assets: the API page's files, so that it needs no CDN, and the guest's. */
export function copyAssets(): void {
  const from = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = path.join(root, 'public', 'docs');
  mkdirSync(to, { recursive: true });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(path.join(from, file), path.join(to, file));
  }
  writeFileSync(path.join(to, 'show.js'), show);
  const guest = path.join(root, 'public', 'guest');
  mkdirSync(guest, { recursive: true });
  for (const file of guestFiles) {
    copyFileSync(path.join(root, 'src', 'guest', 'assets', file), path.join(guest, file));
  }
}
