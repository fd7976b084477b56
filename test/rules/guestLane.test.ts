import { describe, expect, test } from 'vitest';
import { GuestLane, MOST_GUESTS } from '../../src/booking/guestLane.ts';

describe('the lane of guests', () => {
  test('takes so many at once, refuses the next, and has room again when one has left', async () => {
    const lane = new GuestLane();
    const held = Array.from({ length: MOST_GUESTS }, () => Promise.withResolvers<string>());
    const inside = held.map(({ promise }) => lane.run(() => promise));
    let started = false;
    const start = async () => {
      started = true;
      return 'started';
    };
    expect([await lane.run(start), started]).toEqual([null, false]);
    held[0]?.resolve('first');
    expect(await inside[0]).toBe('first');
    expect(await lane.run(start)).toBe('started');
    for (const { resolve } of held) resolve('done');
    await Promise.all(inside);
  });

  test('has room again after an operation that throws', async () => {
    const lane = new GuestLane();
    for (let times = 0; times <= MOST_GUESTS; times += 1) {
      await expect(lane.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
    expect(await lane.run(async () => 'room')).toBe('room');
  });
});
