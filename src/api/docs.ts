import { html } from 'hono/html';
import { HOUR_MS } from '../core/time.ts';
import { serveAsset } from '../http/assets.ts';
import { publicBaseUrl } from '../http/baseUrl.ts';
import type { Api } from '../http/operation.ts';
import { openApiDocument, registerParts } from './openApi/document.ts';

/** The page loads everything from this service. Swagger UI sets inline styles from its script. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `GET /openapi.json`, and `GET /docs`, the page that shows it. */
export function registerDocs(api: Api): void {
  registerParts(api);
  let made = { text: '', baseUrl: '', atMs: Number.NEGATIVE_INFINITY };
  api.get('/openapi.json', (c) => {
    const baseUrl = publicBaseUrl(c);
    const nowMs = Date.now();
    if (made.baseUrl !== baseUrl || Math.abs(nowMs - made.atMs) >= HOUR_MS) {
      const text = JSON.stringify(openApiDocument(api, baseUrl, nowMs));
      made = { text, baseUrl, atMs: nowMs };
    }
    return c.body(made.text, 200, { 'Content-Type': 'application/json' });
  });
  api.get('/docs', (c) => {
    c.header('Content-Security-Policy', PAGE_POLICY);
    return c.html(page());
  });
  api.get('/docs/:file', serveAsset);
}

function page() {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Bookings and payments: the interface</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
      </head>
      <body>
        <div id="interface"></div>
        <script src="/docs/swagger-ui-bundle.js"></script>
        <script src="/docs/show.js"></script>
      </body>
    </html>`;
}
