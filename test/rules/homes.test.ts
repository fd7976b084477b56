import { describe, expect, it } from 'vitest';
import {
  deletedTables,
  insertSql,
  movedTables,
  notingTriggers,
  pageSql,
  sumsSql,
} from '../../src/moves/tables.ts';
import { pageOfAll } from '../../src/platform/db/narrow.ts';
import { asOneList } from '../../src/platform/db/page.ts';
import { fullnessOf, isFull, percentOf, roomiest } from '../../src/records/homes/rules.ts';

describe('a database', () => {
  it('is filling from 80 %, and full from 95 %', () => {
    const states = [79.9, 80, 94.9, 95].map((percent) => fullnessOf([1, percent]));
    expect(states).toEqual(['ok', 'filling', 'filling', 'full']);
    expect([percentOf(9_500, 10_000), percentOf(1, 3)]).toEqual([95, 33.3]);
    expect([isFull(94.9), isFull(95)]).toEqual([false, true]);
  });

  it('gets the new property if it has the fewest bytes, else the fewest properties', () => {
    const of = (bytes: number, properties: number) => ({ bytes, properties });
    expect(roomiest([of(5, 0), of(3, 9), of(4, 1)])).toEqual(of(3, 9));
    expect(roomiest([of(3, 2), of(3, 1), of(3, 1)])).toEqual(of(3, 1));
    expect(roomiest([])).toBeNull();
  });
});

describe('a list over many databases', () => {
  const keyOf = (row: { readonly id: number }) => [row.id];
  const rows = (...ids: number[]) => ids.map((id) => ({ id }));

  it('goes on where any of them has looked no further', () => {
    // The first looked up to 4 and may have more; what the second has after that waits.
    const first = [[{ id: 4 }], [], rows(1)];
    const second = [[], rows(2, 5), []];
    const page = pageOfAll([first, second], 10, 'ascending', keyOf);
    expect(page).toEqual({ rows: rows(1, 2), next: [4] });
  });

  it('is cut at its limit, and ends when all have ended', () => {
    const all = [
      [[], rows(1, 3), []],
      [[], rows(2, 4), []],
    ];
    expect(pageOfAll(all, 2, 'ascending', keyOf)).toEqual({ rows: rows(1, 2), next: [2] });
    expect(pageOfAll(all, 9, 'ascending', keyOf)).toEqual({ rows: rows(1, 2, 3, 4), next: null });
  });

  it('keeps the order that each has', () => {
    expect(asOneList([rows(9, 5), rows(7)], keyOf)).toEqual(rows(9, 7, 5));
    expect(asOneList([rows(5, 9), rows(7)], keyOf)).toEqual(rows(5, 7, 9));
  });
});

describe('the tables of a move', () => {
  it('come after those that their rows name, and go before them', () => {
    const order = movedTables().map(({ name }) => name);
    for (const { name, parents } of movedTables()) {
      for (const parent of parents) {
        expect(order.indexOf(parent), `${name} names ${parent}`).toBeLessThan(order.indexOf(name));
      }
    }
    expect(
      deletedTables()
        .map(({ name }) => name)
        .at(-1),
    ).not.toBe('transactions');
    expect(new Set(deletedTables().map(({ name }) => name))).toContain('customer_moves');
  });

  it('are read by their keys, and written without what the database generates', () => {
    const cards = movedTables().find(({ name }) => name === 'cards');
    expect(cards && insertSql(cards)).not.toContain('gateway_account');
    const outbox = movedTables().find(({ name }) => name === 'outbox');
    expect(outbox && pageSql(outbox, ['m'])).toContain(
      '("message_id") > (?) ORDER BY "message_id"',
    );
    expect(outbox && sumsSql(outbox)).toContain('sum(length("payload"))');
    const changes = notingTriggers().filter(({ name }) =>
      name.startsWith('noted_settings_changes'),
    );
    expect(changes.every(({ sql }) => sql.includes("subject NOT LIKE 'client %'"))).toBe(true);
  });
});
