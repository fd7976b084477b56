/** A copy of a database that lacks a row, a cent or a guard is not taken for a backup of it. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { factsOf, requireSame } from '../../scripts/backup/facts.ts';

const SCHEMA = `
  CREATE TABLE bookings (reference TEXT PRIMARY KEY);
  CREATE TABLE charges (id INTEGER PRIMARY KEY, booking TEXT REFERENCES bookings, amount_minor INTEGER);
  CREATE INDEX charges_by_booking ON charges (booking);
  CREATE TRIGGER charges_stay BEFORE DELETE ON charges WHEN old.id = 9 BEGIN SELECT RAISE(ABORT, 'it stays'); END;
  INSERT INTO bookings VALUES ('R-1');
  INSERT INTO charges VALUES (1, 'R-1', 15464), (2, 'R-1', -200)`;

function factsAfter(...changes: readonly string[]) {
  const db = new DatabaseSync(':memory:');
  for (const sql of [SCHEMA, ...changes]) db.exec(sql);
  return factsOf(db);
}

describe('a restored database', () => {
  it('is like its backup where nothing is missing', () => {
    const facts = factsAfter();
    expect(facts.tables['charges']).toEqual({ rows: 2, amount_minor: 15_264 });
    expect(() => requireSame('DB', facts, factsAfter())).not.toThrow();
  });

  it.each([
    ['a row', 'DELETE FROM charges WHERE id = 2', 'charges'],
    ['a cent', 'UPDATE charges SET amount_minor = 15463 WHERE id = 1', 'charges'],
    ['a guard', 'DROP TRIGGER charges_stay', 'trigger'],
    ['an index', 'DROP INDEX charges_by_booking', 'index'],
  ])('is refused where %s is missing', (_what, change, named) => {
    expect(() => requireSame('DB', factsAfter(), factsAfter(change))).toThrow(
      `DB differs from the backup in ${named}`,
    );
  });

  it('is refused where it has more than its backup', () => {
    const more = factsAfter("INSERT INTO bookings VALUES ('R-2')");
    expect(() => requireSame('DB', factsAfter(), more)).toThrow('in bookings');
  });

  it('is refused where a row refers to one that is not there', () => {
    const orphaned = ['PRAGMA foreign_keys = OFF', 'DELETE FROM bookings'];
    expect(() => factsAfter(...orphaned)).toThrow('A row refers to one that is not there');
  });
});
