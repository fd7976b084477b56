import { describe, expect, it } from 'vitest';
import { unexplainedStatements } from '../../scripts/migrationGuard.ts';

function check(statements: readonly string[], { reason = '' } = {}) {
  const text = `${reason}\n${statements.join(';\n')}`;
  return unexplainedStatements({ text, statements });
}

describe('a migration', () => {
  it.each([
    'DROP TABLE `bookings`',
    'drop table if exists bookings',
    'DROP VIEW totals',
    'ALTER TABLE `export_runs` DROP COLUMN `removed_at_ms`',
    'ALTER TABLE export_runs DROP removed_at_ms',
    'ALTER TABLE `bookings` RENAME COLUMN `phone` TO `telephone`',
    'ALTER TABLE `__new_bookings` RENAME TO `bookings`',
    'DELETE FROM audit WHERE at_ms < 1',
    'DROP INDEX `export_runs_daily`',
    'DROP TRIGGER IF EXISTS audit_is_not_deleted',
  ])('may not destroy anything without a reason: %s', (statement) => {
    const harmless = 'ALTER TABLE `bookings` ADD `note` text';
    expect(check([harmless, statement])).toEqual([statement]);
  });

  it('may destroy something where a comment gives the reason', () => {
    const reason = '-- destructive: 0.3.0 was the last version to read it';
    expect(check(['DROP TABLE mails'], { reason })).toEqual([]);
  });

  it.each(['-- destructive:', '-- this is destructive', 'destructive: it is safe'])(
    'needs a reason in the comment: %s',
    (reason) => {
      expect(check(['DROP TABLE mails'], { reason })).toEqual(['DROP TABLE mails']);
    },
  );

  it.each([
    'CREATE TABLE `mails` (`id` integer PRIMARY KEY)',
    'ALTER TABLE `bookings` ADD `dropped_at_ms` integer',
    "INSERT INTO mails VALUES ('DROP TABLE mails')",
    '-- DROP TABLE mails\nCREATE INDEX `mails_by_time` ON `mails` (`at_ms`)',
    "CREATE TRIGGER mails_stay BEFORE DELETE ON mails BEGIN SELECT RAISE(ABORT, 'append_only'); END",
    'CREATE TRIGGER tidy AFTER INSERT ON mails BEGIN DELETE FROM old_mails; END',
  ])('may add anything: %s', (statement) => {
    expect(check([statement])).toEqual([]);
  });

  it('is looked through behind a comment', () => {
    expect(check(['-- no longer used\nDROP TABLE mails'])).toEqual(['DROP TABLE mails']);
  });

  it.each([
    ['DROP INDEX `daily`', 'CREATE UNIQUE INDEX `daily` ON `runs` (`date`)'],
    [
      'DROP TRIGGER guard',
      '-- Stricter than before.\nCREATE TRIGGER IF NOT EXISTS guard BEFORE UPDATE ON runs BEGIN SELECT 1; END',
    ],
    ['DROP VIEW shown', 'CREATE VIEW shown AS SELECT 1 AS one'],
  ])('may replace an index, a trigger or a view: %s', (drop, create) => {
    expect(check([drop, create])).toEqual([]);
    expect(check([create, drop]), 'created before it is dropped').toEqual([drop]);
  });

  it('does not replace one by another with a longer name', () => {
    expect(check(['DROP INDEX daily', 'CREATE INDEX daily_runs ON runs (date)'])).toEqual([
      'DROP INDEX daily',
    ]);
  });
});
