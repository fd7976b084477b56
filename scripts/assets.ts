import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { root } from './environment.ts';

const show = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/openapi.json', dom_id: '#interface', deepLinking: true, validatorUrl: null });
});
`;

/** Copies what the API page shows itself with into the Worker's static assets, so that it needs no CDN. */
export function copyAssets(): void {
  const from = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = path.join(root, 'public', 'docs');
  mkdirSync(to, { recursive: true });
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(path.join(from, file), path.join(to, file));
  }
  writeFileSync(path.join(to, 'show.js'), show);
}
