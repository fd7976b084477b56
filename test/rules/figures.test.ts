import { describe, expect, it } from 'vitest';
import { differences, type Figure, missedTargets, withFigures } from '../../bench/figures.ts';

const PAGE =
  'Before\n<!-- written by `npm run bench -- --record` -->\n<!-- end of the figures -->\nAfter\n';

const SIZE: Figure = {
  name: 'bundle',
  values: [781.2],
  unit: 'KiB',
  digits: 0,
  target: { bound: 'most', value: 1024 },
  tolerance: 1.01,
};
const RATIO: Figure = {
  name: 'charge / bare charge',
  values: [0.81, 0.88],
  unit: '×',
  digits: 2,
  target: { bound: 'least', value: 0.8 },
  tolerance: 1.6,
};

describe('the documented figures', () => {
  const recorded = withFigures(PAGE, [SIZE, RATIO], '2026-11-23');

  it('are written between the markers, again and again', () => {
    expect(recorded).toContain('| bundle | 781 KiB |  | 1024 KiB |');
    expect(recorded).toContain('| charge / bare charge | 0.81 × | 0.88 × | 0.8 × |');
    expect(withFigures(recorded, [SIZE, RATIO], '2026-11-23')).toBe(recorded);
    expect(recorded).toMatch(/^Before\n[\s\S]*\nAfter\n$/);
  });

  it.each([
    ['agree with the run that wrote them', [SIZE, RATIO], 0],
    ['may differ by noise', [SIZE, { ...RATIO, values: [0.6, 1.2] }], 0],
    ['differ by a larger bundle', [{ ...SIZE, values: [800] }, RATIO], 1],
    ['differ by a smaller bundle', [{ ...SIZE, values: [584] }, RATIO], 1],
    [
      'differ by a slower charge at one number of connections',
      [SIZE, { ...RATIO, values: [0.81, 0.5] }],
      1,
    ],
    [
      'differ by a figure that is missing',
      [SIZE, RATIO, { ...RATIO, name: 'list / bare read' }],
      1,
    ],
    ['differ by a figure that no run finds any more', [SIZE], 1],
  ])('%s', (_, figures, count) => {
    expect(differences(recorded, figures)).toHaveLength(count);
  });

  it('say what the page shows and what was found', () => {
    expect(differences(recorded, [{ ...SIZE, values: [800] }, RATIO])).toEqual([
      'bench/README.md shows 781 for bundle; this run found 800 KiB.',
    ]);
  });
});

describe('a missed target', () => {
  it.each<[string, Figure[], string[]]>([
    ['is none where all are met', [SIZE, RATIO, { ...RATIO, target: null, values: [0.1] }], []],
    ['is none that noise explains', [{ ...RATIO, values: [0.74, 0.88] }], []],
    [
      'is a larger bundle',
      [{ ...SIZE, values: [1025] }, RATIO],
      ['bundle: 1025 KiB misses 1024 KiB.'],
    ],
    [
      'is a slower charge at one number of connections',
      [SIZE, { ...RATIO, values: [0.81, 0.5] }],
      ['charge / bare charge: 0.81 × and 0.50 × misses 0.8 ×.'],
    ],
  ])('%s', (_, figures, missed) => {
    expect(missedTargets(figures)).toEqual(missed);
  });
});
