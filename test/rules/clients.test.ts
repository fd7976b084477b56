import { describe, expect, it } from 'vitest';
import { inGoodStanding } from '../../src/records/clients/rules.ts';

describe('a client may act', () => {
  it.each([
    ['of a deployment', { revokedAtMs: null, seeded: false }, { there: true, locally: true }],
    [
      'seeded by a local start',
      { revokedAtMs: null, seeded: true },
      { there: false, locally: true },
    ],
    ['revoked', { revokedAtMs: 1, seeded: false }, { there: false, locally: false }],
    ['seeded and revoked', { revokedAtMs: 1, seeded: true }, { there: false, locally: false }],
  ])('%s', (_which, client, { there, locally }) => {
    expect([inGoodStanding({ client }, false), inGoodStanding({ client }, true)]).toEqual([
      there,
      locally,
    ]);
  });
});
