/** Looks at every page in every state (looksStates.ts), on every kind of screen and on paper. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type Service } from '../../scripts/service.ts';
import { createApp } from '../../src/app.ts';
import { type Language, languages } from '../../src/core/words/words.ts';
import { learnAll, wordsIn } from '../support/languages.ts';
import { isLong, sampleOf, someOf } from '../support/long.ts';
import {
  allBarriers,
  dressed,
  openBrowser,
  openWindow,
  picture,
  takesPictures,
} from './browser.ts';
import { hasBrowser } from './chromium.ts';
import { stateFolder } from './client.ts';
import { type State, signIn, states, type Who } from './looksStates.ts';
import { HOTEL, makeWorld, settleWorld, type World } from './looksWorld.ts';
import { faultsOf, lowControls, unprintable } from './measures.ts';
import { startQuickly } from './quickService.ts';

/** The most that a page weighs on a first visit, as it is sent. */
const MOST_BYTES = 30 * 1_024;

/** From a phone's to a desk's, in pixels. */
const WIDTHS = [360, 768, 1024, 1280] as const;

/** Up to here fingers press. */
const WIDEST_TOUCHED = 1024;

/** A phone's window, and A4 upright less its margins. */
const PHONE = { width: 360, height: 740 };
const PAPER = { width: 700, height: 1_000 };

const SCHEMES = ['light', 'dark'] as const;

/** What axe looks at, one of them for each page: a page is laid out by its width, and coloured by its scheme. */
const EXAMINED = [
  ['light', 360],
  ['dark', 1_280],
] as const;

/** One page in so many is looked at. */
const SHARE = isLong ? 1 : 4;

/** The same in German. */
const SHARE_OF_GERMAN = 4;

/** The same of a guest's pages in each language: each page is seen in about one of them. */
const SHARE_OF_LANGUAGE = 16;

const people = [...new Set(states.map(({ who }) => who))];

const state = stateFolder();
let service: Service;
let browser: Browser;
let world: World;

/** The service is started twice, and a hotel's days are played in between. */
const SETUP_MS = 240_000;

beforeAll(async () => {
  if (!hasBrowser) return;
  learnAll();
  const start = { port: await freePort(), persistTo: state.path };
  service = await startQuickly(start);
  world = await makeWorld(service.url);
  await service.stop();
  await settleWorld(state.path);
  service = await startQuickly({ ...start, prepared: true });
  browser = await openBrowser();
}, SETUP_MS);

afterAll(async () => {
  await browser?.close();
  await service?.kill();
  state.remove();
});

/** Shows somebody in some language their pages, one after the other, and collects what `look` finds. */
async function walk(
  { who, language, share }: { who: Who; language: Language; share: number },
  look: (page: Page, state: State) => Promise<string[]>,
): Promise<string[]> {
  const { locale } = wordsIn(language);
  const { page, close, complaints, elsewhere } = await openWindow(browser, world.url, { locale });
  page.on('requestfinished', (request) => {
    const keep = ({ responseBodySize }: { responseBodySize: number }) =>
      weights.set(request.url(), responseBodySize);
    void request.sizes().then(keep, () => undefined);
  });
  await signIn(page, who, world);
  const theirs = states.filter((state) => state.who === who);
  const found: string[] = [];
  for (const state of sampleOf(theirs, share)) {
    await page.setViewportSize(PHONE);
    await state.open(page, world);
    await dressed(page);
    for (const one of await look(page, state)) found.push(`${state.name} in ${language}: ${one}`);
  }
  await close();
  // Browsers tell of each page whose status is a refusal.
  const others = complaints.filter((text) => !/status of 4\d\d/.test(text));
  return [...found, ...others, ...elsewhere()];
}

it('looks at every page that there is', () => {
  const routes = createApp().routes.filter(({ method, path }) => method === 'GET' && isPage(path));
  const seen = new Set(states.map(({ route }) => route));
  expect(routes.map(({ path }) => path).filter((path) => !seen.has(path))).toEqual([]);
});

describe.runIf(hasBrowser)('every page in every state', () => {
  it.each(someOf(people, people.length))(
    'is light, fits every screen and paper, light and dark, and has no barrier: %s',
    async (who) => {
      const found = await walk({ who, language: 'en', share: SHARE }, async (page, state) => [
        ...(await weightOf(page)),
        ...(await onScreens(page, state)),
        ...(state.prints ? await onPaper(page, state) : []),
      ]);
      expect(found).toEqual([]);
    },
  );

  it.each(people)('fits every screen and paper in German: %s', async (who) => {
    const found = await walk(
      { who, language: 'de', share: SHARE_OF_GERMAN },
      async (page, { prints }) => [
        ...(await measured(page, [360, 1_280])),
        ...(prints ? await onPaper(page, null) : []),
      ],
    );
    expect(found).toEqual([]);
  });

  it.each(someOf(languages, languages.length))(
    'fits a phone, with the card in its first screen and the button in the second: %s',
    async (language) => {
      const found = await walk(
        { who: 'guest', language, share: SHARE_OF_LANGUAGE },
        async (page) => [...(await cardFormOf(page)), ...(await measured(page, [360]))],
      );
      expect(found).toEqual([]);
    },
  );
});

/** Whether people look at what a route answers, rather than a page at a file or an address that leads on. */
function isPage(path: string): boolean {
  return (
    /^[/](?:console|guest|ops|docs|bank|dev)[/]/.test(path) &&
    !/[.](?:css|js|pdf)$|:file|:colour|[/](?:pay|price|confirmed|guest.v1.card|[*])$|^[/]dev[/].*:id/.test(
      path,
    )
  );
}

/** Pictures and measures of a page on all screens, light and dark. */
async function onScreens(page: Page, { name }: State): Promise<string[]> {
  const found = await measured(page, widths(), async (width) => {
    for (const colorScheme of takesPictures ? SCHEMES : []) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  });
  for (const [colorScheme, width] of sampleOf(EXAMINED, 2)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    found.push(...(await allBarriers(page)).map((one) => `${colorScheme}: ${one}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** A phone's, and in the long form one of the others, the next page the next; all for pictures. */
function widths(): readonly number[] {
  if (takesPictures) return WIDTHS;
  const [phone, ...wider] = WIDTHS;
  return [phone, ...(isLong ? sampleOf(wider, wider.length) : [])];
}

/** What is wrong with a page at some widths; `then` does more at each. */
async function measured(
  page: Page,
  widths: readonly number[],
  then: (width: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const low = width < WIDEST_TOUCHED ? await lowControls(page) : [];
    found.push(...[...(await faultsOf(page)), ...low].map((one) => `at ${width}: ${one}`));
    await then(width);
  }
  return found;
}

async function onPaper(page: Page, state: State | null): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize(PAPER);
  const found = [...(await faultsOf(page)), ...(await unprintable(page, HOTEL.name))];
  if (state) await picture(page, `${state.name}-paper`);
  await page.emulateMedia({ media: null });
  return found.map((one) => `on paper: ${one}`);
}

/** Whether the card's field is too far down a phone's page, or the button that pays with it. */
async function cardFormOf(page: Page): Promise<string[]> {
  if (!(await page.locator('#cardNumber').isVisible())) return [];
  const endOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return box ? box.y + box.height : Infinity;
  };
  const card = await endOf('#cardNumber');
  const button = await endOf('form:has(#cardNumber) button[type=submit]');
  return card <= PHONE.height && button <= 2 * PHONE.height
    ? []
    : [`the card ends at ${card}, the button at ${button}`];
}

/** What each style and script weighs, by its address: a browser may load it once for several pages. */
const weights = new Map<string, number>();

/** What a page, its styles and its scripts weigh as the service sends them, if that is too much. */
async function weightOf(page: Page): Promise<string[]> {
  const [own, ...addresses] = await page.evaluate<[number, ...string[]]>(`[
    performance.getEntriesByType('navigation')[0].encodedBodySize,
    ...[...document.querySelectorAll('link[rel=stylesheet], script[src]')].map((one) => one.href ?? one.src),
  ]`);
  const bytes = addresses.reduce((sum, one) => sum + (weights.get(one) ?? MOST_BYTES), own);
  return bytes < MOST_BYTES ? [] : [`${bytes} bytes`];
}
