/** What is measured of a page in a browser, as a window of some width or paper shows it. */
import type { Page } from 'playwright-core';

/** As high as a finger needs it, in pixels. */
const FINGER = 44;

/**
 * In the page: its faults, one text each.
 * - It is wider than its window, or something stands beyond the window's edge that cannot be moved to.
 * - A word stands in more than one line, but for ids and names.
 * - An amount stands in more than one line, or its edge is not that of the other amounts of its column.
 * - Two values of a row stand on each other.
 * - The tab of the page is out of sight.
 */
const FAULTS = String.raw`(() => {
  const faults = new Set();
  const width = document.documentElement.clientWidth;
  const name = (one) => one.outerHTML.replace(/\s+/g, ' ').slice(0, 100);
  const shown = (one) => one.checkVisibility() && !one.closest('.unseen');
  if (document.documentElement.scrollWidth > width)
    faults.add(document.documentElement.scrollWidth + ' pixels wide');
  for (const one of document.querySelectorAll('body *')) {
    if (one.closest('.unseen, .tabs, pre, iframe') || one.parentElement.closest('.fold[open] + div, .scroll')) continue;
    if (one.getBoundingClientRect().right > width + 1 && shown(one)) faults.add('beyond the edge: ' + name(one));
  }
  const linesOf = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top / 4)));
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement } = node;
    if (parentElement.closest('svg, script, style, .unseen, pre, code, textarea') || !shown(parentElement)) continue;
    // Cards say the names of columns otherwise.
    if (parentElement.closest('thead')?.offsetWidth < 2) continue;
    for (const amount of node.data.matchAll(/[−-]?(?:\p{Lu}{3}|[$€¥£])\u00a0?\d[\d.,]*|[−-]?\d[\d.,]*\u00a0(?:\p{Lu}{3}\b|[$€¥£])/gu))
      if (linesOf(node, amount.index, amount.index + amount[0].length).size > 1) faults.add('broken amount: ' + amount[0]);
    // Names of a program's things are longer than some windows are wide.
    if (parentElement.closest('bdi') || getComputedStyle(parentElement).fontFamily.includes('monospace')) continue;
    for (const word of node.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
      // These are written without spaces, and break anywhere.
      if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word[0])) continue;
      // A break at a soft hyphen is one that its writer allows; the hyphen's own box stands before it.
      const start = word.index + (node.data[word.index - 1] === '\u00ad' ? 1 : 0);
      if (linesOf(node, start, word.index + word[0].length).size > 1) faults.add('broken word: ' + word[0]);
    }
  }
  // Unfolded, a record is a card, whose values begin below each other.
  const edgeOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { left, right } = range.getBoundingClientRect();
    return Math.round(getComputedStyle(one).textAlign === 'start' ? left : right);
  };
  for (const tab of document.querySelectorAll('nav [aria-current]')) {
    const { left, right } = tab.getBoundingClientRect();
    if (left < 0 || right > width + 1) faults.add('out of sight: ' + tab.textContent);
  }
  for (const row of document.querySelectorAll('tbody tr')) {
    const boxes = [...row.cells].filter((one) => shown(one) && one.textContent.trim() !== '').map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect();
    });
    const covers = (one, other) => one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    if (boxes.some((one, at) => boxes.slice(at + 1).some((other) => covers(one, other)))) faults.add('on each other: ' + row.textContent.trim());
  }
  const columns = new Map();
  const put = (column, one) => {
    if (!shown(one) || one.textContent.trim() === '') return;
    columns.set(column, [...(columns.get(column) ?? []), one]);
  };
  document.querySelectorAll('table').forEach((table, index) => {
    for (const cell of table.querySelectorAll('tbody td'))
      if (cell.matches('.number, .numbers td')) put('table ' + index + ', column ' + (getComputedStyle(cell).display === 'table-cell' ? cell.cellIndex : cell.dataset.name), cell);
  });
  document.querySelectorAll('dl:not(.facts)').forEach((list, index) => {
    for (const one of list.querySelectorAll('dd'))
      if (/^[^\p{Ll}]*\d[^\p{Ll}]*$/u.test(one.textContent)) put('list ' + index, one);
  });
  document.querySelectorAll('.movements').forEach((list, index) => {
    for (const one of list.querySelectorAll('.amount')) put('movements ' + index, one);
  });
  for (const [column, cells] of columns) {
    const edges = cells.map(edgeOf);
    const most = Math.max(...edges);
    cells.forEach((cell, at) => {
      if (most - edges[at] > 1) faults.add('out of its column: ' + column + ', ' + cell.textContent.trim() + ', by ' + (most - edges[at]) + ' pixels');
    });
  }
  return [...faults];
})()`;

/** In the page: buttons, fields and links of the navigation that a finger would miss. */
const LOW = `[...document.querySelectorAll('button, input, select, summary, .tabs a')]
  .filter((one) => one.checkVisibility() && !one.closest('.unseen') && one.type !== 'radio')
  .map((one) => [one.textContent || one.name, Math.round(one.getBoundingClientRect().height)])
  .filter(([, height]) => height < ${FINGER})
  .map(([text, height]) => text.trim() + ' is ' + height + ' pixels high')`;

/** In the page: what is of no use on paper, and whether the hotel's name is missing there. */
const UNPRINTABLE = `((hotel) => [
  ...[...document.querySelectorAll('button, .button, .quiet, input:not([type=hidden]), select, textarea, nav, search, summary')]
    .filter((one) => one.checkVisibility())
    .map((one) => 'printed: ' + one.outerHTML.slice(0, 80)),
  ...(document.body.innerText.includes(hotel) ? [] : ['without the hotel’s name']),
])`;

/** What is wrong with a page as it is shown now. */
export function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FAULTS);
}

/** Buttons, fields and links of the navigation that a finger would miss. */
export function lowControls(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(LOW);
}

/** What is wrong with a page on paper, besides. */
export function unprintable(page: Page, hotel: string): Promise<string[]> {
  return page.evaluate<string[]>(`${UNPRINTABLE}(${JSON.stringify(hotel)})`);
}
