import { describe, expect, it } from 'vitest';
import { selectList } from '../../src/pms/outbox/listStore.ts';
import { recordMessages, replayMessages } from '../../src/pms/outbox/replayStore.ts';
import {
  insertMoneyMessage,
  insertStayMessage,
  promoteNext,
  selectDue,
  selectDueOfBooking,
  selectDueProperties,
  selectNextDue,
  selectOverduePms,
} from '../../src/pms/outbox/store.ts';
import { planOf, plansOf } from '../support/plans.ts';

const served = { receiver: 'https://pms', advanced: null };
const message = {
  propertyId: 'demo',
  bookingReference: 'RES-1',
  messageId: 'm',
  messageType: 'PushBooking',
  payload: new Uint8Array(),
  createdAtMs: 1,
} as const;

describe('however long the outbox is, SQLite', () => {
  it.each([
    ['what is due', () => selectDue(served, 1, 10)],
    ['what is due next', () => selectNextDue(served, 1)],
    ['what is overdue', () => selectOverduePms(1, 10)],
  ])('finds %s by the index of what waits', async (_name, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(
      /SEARCH (outbox|waiting) (EXISTS )?USING (COVERING )?INDEX outbox_unsettled/,
    );
    expect(plan).not.toMatch(/SCAN (outbox|waiting)/);
  });

  it.each([
    ['what is due', () => selectDue(served, 1, 10)],
    ['what is due next', () => selectNextDue(served, 1)],
    ['whom it serves', () => selectDueProperties(served, 1)],
  ])('finds %s for a PMS without looking through the properties', async (_name, query) => {
    const plan = await planOf(query());
    expect(plan).toContain('properties_by_pms_url (pms_url=?)');
    expect(plan).not.toContain('SCAN properties');
  });

  it.each([
    ['a property', 'demo', undefined, 'outbox_dead_of_property (property_id=?)'],
    [
      'a further page of one',
      'demo',
      ['m'],
      'outbox_dead_of_property (property_id=? AND message_id>?)',
    ],
    ['all properties', undefined, undefined, 'outbox_dead'],
  ])(
    'lists the dead ones of %s in their order by their index',
    async (_of, property, after, index) => {
      const of = { property, status: 'Dead' } as const;
      const plan = await plansOf(selectList(of, { limit: 10, after }));
      expect(plan).toMatch(/^(SEARCH|SCAN) outbox USING (COVERING )?INDEX /);
      expect(plan).toContain(`INDEX ${index}`);
      expect(plan).not.toContain('TEMP B-TREE');
    },
  );

  const dead = { property: 'demo', status: 'Dead' } as const;
  const mending = { actor: 'admin', atMs: 1, firstId: 1 };

  it.each([
    ['sends', () => replayMessages(dead, 1)],
    ['notes', () => recordMessages(dead, 'Pending', mending)],
  ])('%s the dead ones of a property by their index alone', async (_does, query) => {
    const plan = await planOf(query());
    expect(plan).toContain('USING COVERING INDEX outbox_dead_of_property (property_id=?)');
    expect(plan).toContain('SEARCH outbox USING PRIMARY KEY (message_id=?)');
    expect(plan).not.toMatch(/SCAN (outbox|waiting)/);
  });

  it.each([
    ['a property', { property: 'demo', status: 'Pending' }],
    ['all properties', { status: 'Pending' }],
  ] as const)('lists those of %s that wait by the index of what waits', async (_of, of) => {
    const [, byKey] = selectList(of, { limit: 10 });
    const plan = await planOf(byKey);
    expect(plan).toContain('USING INDEX outbox_unsettled (property_id=?)');
    expect(plan).not.toMatch(/SCAN (outbox|waiting)/);
  });

  it.each([
    ['what is due of a booking', () => selectDueOfBooking(message, 1)],
    ['the next one of a booking', () => promoteNext(message, 1)],
    ['the place of a new message about a stay', () => insertStayMessage(message)],
    ['the place of a new message about money', () => insertMoneyMessage(message)],
  ])('finds %s by the booking', async (_name, query) => {
    const plan = await planOf(query());
    expect(plan).toMatch(/USING (COVERING )?(INDEX|PRIMARY KEY)/);
    expect(plan).not.toMatch(/SCAN (outbox|waiting)/);
  });
});
