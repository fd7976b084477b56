/** Every list of the document comes in pages of the same form. */
import { beforeAll, describe, expect, it } from 'vitest';
import { call, callAsAdmin } from '../support/api.ts';
import { makeExisting } from '../support/existing.ts';
import { type Existing, samples } from '../support/samples.ts';
import { servedDocument } from '../support/strangeAnswers.ts';

const { paths } = await servedDocument();

/** The operations that answer with a `nextCursor`. */
const lists = Object.entries(paths).flatMap(([path, { post }]) => {
  const answer = JSON.stringify(post?.responses?.['200'] ?? {});
  if (post === undefined || !answer.includes('"nextCursor"')) return [];
  return [{ path, isAdmins: JSON.stringify(post.security).includes('"admin"') }];
});

let existing: Existing;

beforeAll(async () => {
  existing = await makeExisting();
});

describe.each(lists)('$path', ({ path, isAdmins }) => {
  const list = (part: object) => {
    const body = { ...samples[path]?.body(existing), ...part };
    return isAdmins ? callAsAdmin(path, body) : call(path, body);
  };

  it('answers with the cursor of the next page, or null', async () => {
    for (const limit of [1, 200]) {
      const { json, status } = await list({ limit });
      expect(status).toBe(200);
      expect(json).toHaveProperty('nextCursor');
      if (json.nextCursor === null) continue;
      expect((await list({ limit, cursor: json.nextCursor })).status).toBe(200);
    }
  });

  it.each([0, 201, -1, 1.5, '10', null, [10]])('refuses a limit of %j', async (limit) => {
    const { json, status } = await list({ limit });
    expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['limit']]);
  });

  it.each(['', 'x', 5, null, cursorOf('another', 'demo', 1, 'x'), cursorOf('bookings', 'demo')])(
    'refuses %j as a cursor',
    async (cursor) => {
      const { json, status } = await list({ cursor });
      expect([status, json.errors?.map(({ field }) => field)]).toEqual([422, ['cursor']]);
    },
  );
});

it('the lists are found in the document', () => {
  expect(lists.length).toBeGreaterThan(12);
});

/** A cursor of this service's form. */
function cursorOf(...parts: readonly unknown[]): string {
  return btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
