/** Guests' pages in their languages, in a real browser: tests of pages.test.ts. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../scripts/service.ts';
import { type Language, languages } from '../../src/core/words/words.ts';
import { GOOD } from '../support/cards.ts';
import { wordsIn } from '../support/languages.ts';
import { someOf } from '../support/long.ts';
import { allBarriers, openWindow, tabTo } from './browser.ts';
import { hasBrowser, hasEastAsianFonts } from './chromium.ts';
import { Client } from './client.ts';

/** Fonts of the packages that tests in East Asian languages need. */
const EAST_ASIAN = /IPA|WenQuanYi/;

/** What the pages are looked at on, and with. */
interface Shown {
  readonly service: Service;
  readonly browser: Browser;
}

/** Describes guests' pages in other languages, once `shown` is there. */
export function describeLanguages(shown: () => Shown): void {
  const url = () => shown().service.url;
  const open = (options: BrowserContextOptions) => openWindow(shown().browser, url(), options);

  /** Makes a booking of 600.00 and returns the link to its payment page. */
  async function link(reference: string): Promise<string> {
    const client = new Client(url());
    await client.book(reference, { firstName: 'Ana' });
    return client.link(reference);
  }

  /** Pays another amount than what is due, with a new card, as someone who reads this language. */
  async function pay(page: Page, language: Language, amount: string): Promise<void> {
    const { cardForm, pay: words, receipt } = wordsIn(language);
    await page.getByLabel(words.other).check();
    await page.getByLabel(words.amountIn({ currency: 'AUD' })).fill(amount);
    await page.getByLabel(cardForm.number).fill(GOOD);
    await page.getByLabel(cardForm.expiry).fill('12/30');
    await page.getByLabel(cardForm.code).fill('123');
    await page.getByLabel(cardForm.holder).fill('Ana Nguyen');
    await page.locator('#pay button[type=submit]').click();
    const review = page.getByRole('heading', { name: words.reviewTitle });
    const paid = page.getByRole('heading', { name: receipt.heading });
    await review.or(paid).waitFor();
    if ((await review.count()) > 0) {
      await page.locator('main button[type=submit]').first().click();
      await paid.waitFor();
    }
  }

  /** The fonts that draw the text of what a selector finds. */
  async function fontsOf(page: Page, selector: string): Promise<string[]> {
    const browser = await page.context().newCDPSession(page);
    await browser.send('DOM.enable');
    await browser.send('CSS.enable');
    const { root } = await browser.send('DOM.getDocument');
    const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await browser.send('CSS.getPlatformFontsForNode', { nodeId });
    return fonts.map(({ familyName }) => familyName);
  }

  describe.runIf(hasBrowser)('a guest who reads another language', () => {
    it('pays in German, with a comma and without JavaScript', async () => {
      const { page, complaints, elsewhere, close } = await open({
        locale: 'de-DE',
        viewport: { width: 360, height: 740 },
        javaScriptEnabled: false,
      });
      await page.goto(await link('GUEST-DE'));
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.getByText('600,00', { exact: false }).first().waitFor();
      await pay(page, 'de', '300,50');
      await page
        .getByText(/^300,50\sAUD$|^309,79\sAUD$/)
        .first()
        .waitFor();
      // Chooses another language there, which is kept from page to page.
      await page.getByText('Sprache: Deutsch').click();
      await page.getByRole('button', { name: 'Français' }).click();
      await page.getByRole('heading', { name: wordsIn('fr').receipt.heading }).waitFor();
      await page
        .getByRole('link', { name: wordsIn('fr').booking.back })
        .first()
        .click();
      expect(await page.locator('html').getAttribute('lang')).toBe('fr');
      expect([complaints, elsewhere()]).toEqual([[], []]);
      await close();
    });

    it.runIf(hasEastAsianFonts)('pays in Japanese, in characters that are drawn', async () => {
      const { page, complaints, close } = await open({ locale: 'ja-JP' });
      await page.goto(await link('GUEST-JA'));
      expect(await fontsOf(page, 'h1')).toEqual([expect.stringMatching(EAST_ASIAN)]);
      await pay(page, 'ja', '３００．５０');
      expect(await page.locator('html').getAttribute('lang')).toBe('ja');
      expect(complaints).toEqual([]);
      await close();
    });

    it.each(someOf(languages, 4))('pays with the keyboard alone: %s', async (language) => {
      const { locale, cardForm, receipt } = wordsIn(language);
      const { page, close } = await open({ locale, viewport: { width: 360, height: 740 } });
      await page.goto(await link(`KEYS-${locale}`));
      // On a phone, too, both fields stand in one row.
      const tops = ['#cvv', '#cardExpiry'].map(
        async (one) => (await page.locator(one).boundingBox())?.y,
      );
      expect(new Set(await Promise.all(tops)).size).toBe(1);
      // What is due, and that it is safe, is in the first screen; what becomes of the card, beside it in the second.
      const bottomOf = async (what: string) => {
        const box = await page.locator(what).first().boundingBox();
        return (box?.y ?? Infinity) + (box?.height ?? 0);
      };
      expect(await bottomOf('dl .due')).toBeLessThanOrEqual(740);
      expect(await bottomOf('.brands')).toBeLessThanOrEqual(740);
      expect(await bottomOf('input[name=agreed] + p')).toBeLessThanOrEqual(1_480);
      for (const [label, typed] of [
        [cardForm.number, GOOD],
        [cardForm.expiry, '1230'],
        [cardForm.code, '123'],
        [cardForm.holder, 'Ana Nguyen'],
      ] as const) {
        await tabTo(page, new RegExp(`^${label}$`), 30);
        await page.keyboard.type(typed);
      }
      await tabTo(page, /618/, 30);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: receipt.heading }).waitFor();
      await close();
    });

    it.each(someOf(languages, 3))('meets no barrier on a phone: %s', async (language) => {
      const { locale, booking } = wordsIn(language);
      const { page, close } = await open({ locale, viewport: { width: 360, height: 740 } });
      await page.goto(await link(`GUEST-${locale}`));
      await page.getByRole('heading', { name: booking.title, level: 1 }).waitFor();
      await page.locator('.languages summary').click();
      expect(await allBarriers(page)).toEqual([]);
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(needed).toBeLessThanOrEqual(360);
      if (hasEastAsianFonts && ['ja', 'ko', 'zh-Hans'].includes(language)) {
        // Another font may draw the spaces between words.
        expect(await fontsOf(page, 'h1')).toContainEqual(expect.stringMatching(EAST_ASIAN));
      }
      await close();
    });
  });
}
