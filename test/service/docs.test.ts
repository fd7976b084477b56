import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import { openBrowser } from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { stateFolder } from './client.ts';

describe.runIf(hasBrowser)('the page /docs in a browser', () => {
  const state = stateFolder();
  let service: Service;

  beforeAll(async () => {
    service = await startService({ port: await freePort(), persistTo: state.path, crons: false });
  });
  afterAll(async () => {
    await service?.kill();
    state.remove();
  });

  it('shows every operation, asks nobody else for anything and logs no error', async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${service.url}/docs`);
      await page.locator('.opblock').first().waitFor();
      const shown = await page.locator('.opblock-summary-path').allTextContents();
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
        paths: Record<string, unknown>;
      };
      const paths = shown.map((path) => path.replaceAll('\u200b', ''));
      expect(paths.toSorted()).toEqual(Object.keys(document.paths).toSorted());
      const elsewhere = asked.filter(
        (url) => !url.startsWith(service.url) && !url.startsWith('data:'),
      );
      expect(elsewhere).toEqual([]);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
