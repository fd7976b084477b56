/** A deployment of three databases: where properties live, and that they move with everything, each once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/core/time.ts';
import { sweepMoves } from '../../src/moves/actions.ts';
import { migrations } from '../../src/platform/db/store/migrations.ts';
import {
  type Answer,
  bookingOf,
  call,
  callAsAdmin,
  http,
  makeBooking,
  makeProperty,
  testEnv,
  transactionsOf,
} from '../support/api.ts';
import { dismissMessages } from '../support/archived.ts';
import { GOOD } from '../support/cards.ts';
import {
  beginMove,
  databases,
  endMove,
  goOn,
  leftOfMoves,
  move,
  moveOf,
  rowsOf,
  threeDatabases,
} from '../support/databases.ts';
import { fetchExport, linesOf, makeExport } from '../support/exports.ts';
import {
  type Crossed,
  type FaultKind,
  faultKinds,
  placesOf,
  spansOf,
  sweepFrom,
  wakeAt,
  withFault,
} from '../support/faults.ts';
import { someOf } from '../support/long.ts';
import { disagreements } from '../support/oracle.ts';
import { putUser, signedIn } from '../support/staff.ts';
import { story } from '../support/story.ts';

story({ silent: ['alarms', 'pms'], keepSpies: true });
threeDatabases();

const CREATE = '/payment/v1/create';
const DUE_MS = Math.ceil(Date.now() / 1000) * 1000 + DAY_MS;

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function homeOf(property: string): Promise<string> {
  const { json } = await callAsAdmin('/admin/v1/property/list', { limit: 200 });
  return String(json.properties.find((one) => one['property'] === property)?.['database']);
}

it('a database in an object has every migration', () => {
  expect(migrations.map(({ name }) => name)).toEqual(
    testEnv.TEST_MIGRATIONS.map(({ name }) => name),
  );
});

describe('a property', () => {
  it('gets the database that was asked for, and else the one with the fewest bytes', async () => {
    const details = { name: 'A', site: 'a.localhost', currency: 'AUD', timeZone: 'Asia/Tokyo' };
    const put = (property: string, database?: string) =>
      callAsAdmin('/admin/v1/property/put', { ...details, property, database });
    const wanted = await put('wanted', 'STORE1');
    expect([wanted.status, wanted.json['database' as 'code']]).toEqual([200, 'STORE1']);
    expect(Object.keys(await rowsOf('wanted', 'STORE1'))).toContain('properties');
    const unknown = await put('unknown', 'DB4');
    expect([unknown.status, unknown.json.errors[0]?.field]).toEqual([422, 'database']);

    const { databases: all } = (await callAsAdmin('/admin/v1/database/list', {})).json;
    expect(all.map(({ name, properties }) => [name, properties])).toEqual([
      ['DB', 1],
      ['DB2', 0],
      ['STORE1', 1],
    ]);
    // Nothing comes to a database in an object by itself.
    const least = Math.min(...all.slice(0, 2).map(({ bytes }) => bytes ?? 0));
    const placed = (await put('placed')).json['database' as 'code'];
    expect(all.find(({ name }) => name === placed)?.bytes).toBe(least);
    expect((await put('placed')).json['database' as 'code']).toBe(placed);
    const health = await (await http('/health')).json();
    expect(health).toMatchObject({ databases: 'ok' });
  });

  it('moves nowhere else, not to where it is, and not twice at once', async () => {
    const ask = (property: string, to: string) =>
      callAsAdmin('/admin/v1/property/move', { property, to });
    const unknown = await ask('wanted', 'DB9');
    expect([unknown.status, unknown.json.errors[0]?.field]).toEqual([422, 'to']);
    expect((await ask('nobody', 'DB2')).json.code).toBe('property_not_found');
    const same = await ask('wanted', 'STORE1');
    expect([same.status, same.json.code]).toEqual([409, 'invalid_state']);
    const none = await callAsAdmin('/admin/v1/property/move-status', { moveId: 'none' });
    expect([none.status, none.json.code]).toEqual([404, 'move_not_found']);

    const both = await Promise.all([ask('wanted', 'DB'), ask('wanted', 'DB2')]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409,
    ]);
    const other = await beginMove('placed', (await homeOf('placed')) === 'DB' ? 'DB2' : 'DB');
    const begun = both.find(({ status }) => status === 200)?.json.move;
    if (!begun) throw new Error('no move began');
    expect((await endMove(begun.moveId)).status).toBe('moved');
    expect((await endMove(other)).status).toBe('moved');
    expect([await homeOf('wanted'), await leftOfMoves()]).toEqual([begun.to, []]);
  });
});

describe('properties of every database', () => {
  const homes = { north: 'DB', east: 'DB2', south: 'STORE1' } as const;
  const names = Object.keys(homes);

  beforeAll(async () => {
    for (const [property, database] of Object.entries(homes)) {
      const token = await makeProperty(property, { database, portfolio: 'coasts' });
      await makeBooking(`of ${property}`, GOOD, { token });
      await call(CREATE, { reference: `of ${property}`, amount: 10 }, { token });
    }
  });

  it('are listed together, page by page', async () => {
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const body = { limit: 2, ...(typeof cursor === 'string' && { cursor }) };
      const { json } = await callAsAdmin('/admin/v1/property/list', body);
      found.push(...json.properties.map((one) => one['property']));
      cursor = json['nextCursor' as 'code'];
    } while (typeof cursor === 'string');
    expect(found).toEqual([...new Set(found)]);
    expect(found).toEqual(expect.arrayContaining(['demo', ...names]));
  });

  it('are in one file of their portfolio', async () => {
    const analyst = { username: 'coasts-analyst', portfolio: 'coasts' };
    const { json } = await callAsAdmin('/admin/v1/export-user/create', analyst);
    await makeExport('ledger', 'coasts');
    const file = await fetchExport('ledger=1', {}, json);
    const lines = linesOf(await file.text()).map((line) => JSON.stringify(line));
    for (const name of names) {
      // A charge is a debit and a credit.
      expect(lines.filter((line) => line.includes(`"of ${name}"`))).toHaveLength(2);
    }
  });

  it('are before a person of their portfolio', async () => {
    await putUser({ email: 'coasts@hotel.com', portfolio: 'coasts', role: 'manager' });
    const person = await signedIn('coasts@hotel.com');
    await person.open('/console');
    for (const name of names) expect(person.page.html).toContain(`Property ${name}`);
    for (const name of names) {
      await person.open(`/console/property?property=${name}&q=of+${name}`);
      expect(person.page.html).toContain(`of ${name}`);
    }
  });
});

describe('a move', () => {
  it('takes everything along, and back', async () => {
    await makeBooking('whole', GOOD);
    await call(CREATE, { reference: 'whole', amount: 10 });
    const before = await rowsOf('demo', 'DB');
    const there = await move('demo', 'DB2');
    expect(there.status).toBe('moved');
    expect([await rowsOf('demo', 'DB2'), await rowsOf('demo', 'DB')]).toEqual([before, {}]);
    expect(await transactionsOf('whole')).toHaveLength(1);
    await move('demo', 'STORE1');
    expect(await rowsOf('demo', 'DB2')).toEqual({});
    await move('demo', 'DB');
    expect([await rowsOf('demo', 'DB'), await leftOfMoves()]).toEqual([before, []]);
    expect(await disagreements('whole')).toEqual([]);
    const { json } = await callAsAdmin('/admin/v1/audit/list', { property: 'demo', limit: 200 });
    const moves = JSON.stringify(json).match(/"move [^"]*"/g) ?? [];
    expect(new Set(moves).size).toBe(3);
    // The console's page, where the property is in the database of the directory.
    const manager = await signedIn();
    await manager.open('/console/audit?property=demo');
    const shown = manager.page.html.match(/<bdi>move [^<]*<\/bdi>/g) ?? [];
    expect([shown.length, new Set(shown).size]).toEqual([3, 3]);
  });

  it('goes on beside charges and refunds, each of which has one effect', async () => {
    const references = ['beside 1', 'beside 2'];
    for (const reference of references) await makeBooking(reference, GOOD);
    let made = 0;
    let isOver = false;
    const pay = async (reference: string) => {
      while (!isOver) {
        made += 1;
        const key = String(made);
        const paid = await untilDone(CREATE, { reference, amount: 2 }, `charge ${key}`);
        const chargeId = paid.json.transaction.id;
        const refund = { reference, chargeId, amount: 1 };
        await untilDone('/refund/v1/create', refund, `refund ${key}`);
      }
    };
    const paying = references.map(pay);
    for (const to of ['DB2', 'STORE1', 'DB']) expect((await move('demo', to)).status).toBe('moved');
    isOver = true;
    await Promise.all(paying);
    const all = await Promise.all(references.map((reference) => transactionsOf(reference)));
    expect(made).toBeGreaterThan(3);
    expect(all.flat()).toHaveLength(made);
    expect(all.flat().flatMap(({ refunds }) => refunds)).toHaveLength(made);
    for (const reference of references) expect(await disagreements(reference)).toEqual([]);
    expect(await leftOfMoves()).toEqual([]);
  });
});

describe('a move that breaks off', () => {
  let crossed: readonly Crossed[] = [];

  beforeAll(async () => {
    crossed = (await spansOf(() => move('demo', 'DB2'))).filter(({ boundary }) =>
      /^(d1\.move|d1\.home|object\.mover|storage\.alarm)/.test(boundary),
    );
    await move('demo', 'DB');
  });

  /** The write that gives the property its new home: after it, four more follow. */
  function changeOfHome(): Crossed {
    const change = crossed.filter(({ boundary }) => boundary === 'd1.move.save').at(-5);
    if (!change) throw new Error('no move was seen');
    return change;
  }

  it('lets reads go on, and refuses writes in the last step alone', async () => {
    await makeBooking('frozen', GOOD);
    const stay = { arrival: '01-02-2020', departure: '05-02-2020' };
    await call('/booking/v1/create/manage-payments', bookingOf('archived', stay));
    await dismissMessages();
    const archived = await callAsAdmin('/admin/v1/archive/run', { property: 'demo' });
    expect(archived.json.archived).toBe(1);
    const charge = () => call(CREATE, { reference: 'frozen', amount: 10 }, keyed('frozen'));
    await withFault(changeOfHome(), 'fails', async () => {
      const moveId = await beginMove('demo', 'DB2');
      while ((await moveOf(moveId)).failure === null) await goOn();
    });
    expect(await moveUnderWay()).toMatchObject({ status: 'switching', to: 'DB2' });
    const refused = await charge();
    expect([refused.status, refused.json.code]).toEqual([503, 'busy']);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await transactionsOf('frozen')).toEqual([]);
    const read = await call('/booking/v1/get-details', { reference: 'archived' });
    expect([read.status, read.json.booking?.guest.lastName]).toEqual([200, 'Nguyen']);
    await endMove((await moveUnderWay())?.moveId ?? '');
    expect([await homeOf('demo'), (await charge()).status]).toEqual(['DB2', 200]);
    await move('demo', 'DB');
    expect(await disagreements('frozen')).toEqual([]);
    expect(await transactionsOf('frozen')).toHaveLength(1);
  });

  it.each(someOf(faultKinds, 2))(
    'ends with one home and everything once, wherever it broke off: %s',
    async (kind) => {
      const saves = crossed.filter(({ boundary }) => boundary === 'd1.move.save');
      const others = crossed.filter(({ boundary }) => boundary !== 'd1.move.save');
      const wrong: string[] = [];
      for (const place of few([...placesOf(kind, saves, 8), ...placesOf(kind, others, 96)])) {
        const found = await movedWithFault(place, kind);
        wrong.push(...found.map((what) => `${kind} at ${place.nth} ${place.boundary}: ${what}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});

/** Each moves a property with its money for seconds: of very many places, every so many are tried. */
const MOST_PLACES = 4;

function few<T>(places: readonly T[]): T[] {
  const step = Math.ceil(places.length / MOST_PLACES);
  return places.filter((_, index) => index % step === 0);
}

/** Calls with a key until it is done: meanwhile it may only be refused for a moment. */
async function untilDone(path: string, body: object, key: string): Promise<Answer> {
  const answer = await call(path, body, keyed(key));
  const wrong = refusedWrongly(answer);
  if (wrong.length > 0) throw new Error(wrong.join());
  if (answer.status === 200) return answer;
  await scheduler.wait(20);
  return untilDone(path, body, key);
}

/** The move that has not ended, if there is one. */
async function moveUnderWay() {
  const row = await databases['DB']
    ?.prepare('SELECT id FROM moves WHERE ended_at_ms IS NULL')
    .first<{ id: string }>();
  return row ? moveOf(row.id) : null;
}

/** Moves a property away with a fault while its money moves, and back again. Returns what is wrong then, in words. */
async function movedWithFault(place: Crossed, kind: FaultKind): Promise<string[]> {
  const reference = `${kind} ${place.index}`;
  await makeBooking(reference, GOOD);
  const first = await call(CREATE, { reference, amount: 20 });
  const time = new Date(DUE_MS).toISOString();
  await call('/payment/v1/schedule', { reference, amount: 10, time });
  const chargeId = first.json.transaction.id;
  const acts: readonly (() => Promise<Answer>)[] = [
    () => call(CREATE, { reference, amount: 30 }, keyed(`charge ${reference}`)),
    () => {
      const refund = { reference, chargeId, amount: 5 };
      return call('/refund/v1/create', refund, keyed(`refund ${reference}`));
    },
  ];

  await withFault(place, kind, () => move('demo', 'DB2'));
  const wrong: string[] = [];
  for (const act of acts) wrong.push(...refusedWrongly(await act()));
  await wakeAt(reference, DUE_MS).catch(() => undefined);
  wrong.push(...(await endOfMove('DB2')));
  for (const act of acts) {
    const { json, status } = await act();
    if (status !== 200) wrong.push(`${status} ${json.code} once it had moved`);
  }
  if ((await transactionsOf(reference)).length !== 3) wrong.push('not three charges');
  wrong.push(...Object.keys(await rowsOf('demo', 'DB')).map((name) => `DB still has ${name}`));
  wrong.push(...(await leftOfMoves()));
  await sweepFrom(DUE_MS + HOUR_MS, 3, 20);
  if ((await move('demo', 'DB')).status !== 'moved') wrong.push('it did not come back');
  const statuses = (await transactionsOf(reference)).map(({ status }) => status);
  if (statuses.join() !== 'Accepted,Accepted,Accepted') wrong.push(statuses.join());
  return [...wrong, ...(await disagreements(reference))];
}

/** What is wrong with an answer during a move: a write is done, or refused for a moment. */
function refusedWrongly({ headers, json, status }: Answer): string[] {
  const isBusy = status === 503 && json.code === 'busy' && headers.has('Retry-After');
  return status === 200 || isBusy ? [] : [`${status} ${json.code} during the move`];
}

/** Has a move go on by the sweep, as after a kill, or begins it if it never began. Returns what is wrong, in words. */
async function endOfMove(to: string): Promise<string[]> {
  const open = await moveUnderWay();
  if (open) {
    if ((await sweepMoves(testEnv)) !== 1) return ['no sweep finds it'];
    await endMove(open.moveId);
  } else if ((await homeOf('demo')) !== to) {
    await move('demo', to);
  }
  const home = await homeOf('demo');
  return home === to ? [] : [`it lives in ${home}`];
}
