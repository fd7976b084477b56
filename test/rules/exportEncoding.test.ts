import { describe, expect, test } from 'vitest';
import { acceptsGzip } from '../../src/api/exports/rules/negotiation.ts';

describe('a client', () => {
  test.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'gzip, deflate, br',
    'br;q=1.0, gzip;q=0.8, *;q=0.1',
    'deflate , gzip ; q=0.001',
    'gzip;q=1.000, identity;q=1',
    '*',
    'identity;q=0.5, *;q=0.5',
    'identity;q=0, gzip',
  ])('that sends %s gets gzip', (header) => {
    expect(acceptsGzip(header)).toBe(true);
  });

  test.each([
    null,
    '',
    'identity',
    'br',
    'deflate, br, zstd',
    'gzip;q=0',
    'gzip;q=0.000, *',
    'x-gzip;q=0, *',
    'gzip;q=0.5, identity',
    'gzip;q=0.5, identity;q=0.6',
    '*;q=0',
    'gzip;q=',
    'gzip;q=2',
    'gzip;q=x',
    'gzipped',
    ';q=1',
    ',,',
  ])('that sends %s gets the file as it is', (header) => {
    expect(acceptsGzip(header)).toBe(false);
  });
});
