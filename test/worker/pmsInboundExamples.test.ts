/** The examples and tables of docs/pms.md for messages from a PMS: each example is sent as it stands there. */
import { beforeAll, describe, expect, it } from 'vitest';
import page from '../../docs/pms.md?raw';
import { messageEndpoints } from '../../src/api/pms/endpoints.ts';
import { type Answer, http, parsed, testEnv } from '../support/api.ts';
import { giveRooms } from '../support/rooms.ts';

const [, rest = ''] = page.split('\n## Messages from the PMS\n');
const [inbound = ''] = rest.split('\n## ', 1);

/** A section of the page about one type of message. */
interface Section {
  readonly type: string;
  readonly text: string;
}

const sections: readonly Section[] = inbound
  .split('\n### ')
  .map((text) => ({ type: /^\w+/.exec(text)?.[0] ?? '', text }))
  .filter(({ text }) => text.includes('\nmessage /'));

/** An example of the page: where it is sent, and its body, letter by letter. */
interface Example {
  readonly path: string;
  readonly body: string;
  readonly message: { readonly MessageType: string; readonly MessageID: string };
}

const examples: readonly Example[] = [...inbound.matchAll(/^message (\S+) '(\{.*?^\})'$/gms)].map(
  ([, path = '', body = '']) => ({ path, body, message: JSON.parse(body) as Example['message'] }),
);

/** A member as a table of the page tells it: its name, and whether it is required. */
interface Member {
  readonly name: string;
  readonly isRequired: boolean;
}

/** The members in the table of a section whose first column has this title, in their order. */
function table(text: string, title: string): Member[] {
  const [, rest = ''] = text.split(`| ${title} | type |`);
  const [rows = ''] = rest.split('\n\n', 1);
  return rows.split('\n').flatMap((row) => {
    const [, names = '', type = ''] = row
      .split(' | ', 2)
      .join(' | ')
      .split(/^\| | \| /);
    const isRequired = !/, optional(?: \|)?$/.test(type);
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, isRequired }));
  });
}

/** What has members of its own has a table for them, or stands in the first table by its whole name. */
function tellsMembers(text: string, name: string, properties: object): void {
  const whole = table(text, `member of \`${name}\``);
  if (whole.length > 0) expect(whole).toEqual(membersOf({ properties: { ...properties } }));
  else
    for (const inner of Object.keys(properties)) expect(text).toContain(`| \`${name}.${inner}\` |`);
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
}

/** The members of a schema, without those that every message has. */
function membersOf({ properties = {}, required = [] }: Schema): Member[] {
  const common = ['Authentication', 'MessageType', 'MessageID', 'TimeStamp'];
  return Object.keys(properties)
    .filter((name) => !common.includes(name))
    .map((name) => ({ name, isRequired: required.includes(name) }));
}

const schemas = new Map<string, Schema>();
const answers = new Map<string, Answer>();

beforeAll(async () => {
  // What `npm run pms` tells of its rooms and rates.
  await giveRooms('demo', [
    {
      code: 'STD',
      name: 'Standard Studio',
      rateTypes: [{ code: 'BAR', name: 'Best available' }],
    },
  ]);
  const { paths } = (await (await http('/openapi.json')).json()) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: Schema }> } } }
    >;
  };
  const any = paths['/pms/v1/message']?.post.requestBody.content['application/json']?.schema;
  for (const schema of any?.anyOf ?? []) {
    const { const: only, enum: all } = schema.properties?.['MessageType'] ?? {};
    schemas.set(String(only ?? all?.[0]), schema);
  }
  for (const { path, body } of examples) {
    const headers = { 'Content-Type': 'application/json' };
    answers.set(body, await parsed(await http(path, { method: 'POST', headers, body })));
  }
});

/** Every type of message, and every path that takes one. */
const types = [...new Set(messageEndpoints.flatMap(({ handlers }) => [...handlers.keys()]))];

describe('docs/pms.md', () => {
  it('has a section and an example for every message from a PMS', () => {
    expect(sections.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
    const sent = examples.map(({ message }) => message.MessageType);
    expect(sent.toSorted()).toEqual(types.toSorted());
    expect(new Set(examples.map(({ path }) => path))).toEqual(
      new Set(messageEndpoints.map(({ path }) => path)),
    );
  });

  it('names every path, and what it takes', () => {
    for (const { path } of messageEndpoints) expect(inbound).toContain(`| \`POST ${path}\` |`);
  });

  it.each(examples)('shows an example that is taken as it stands: $path', ({ body, message }) => {
    const { status, json } = answers.get(body) ?? {};
    const { MessageID } = message;
    expect([status, json]).toMatchObject([200, { success: true, MessageID, Status: 'Success' }]);
  });

  it('shows what the examples do', async () => {
    const shown = [...inbound.matchAll(/^```json\n(.*?)^```$/gms)].map(
      ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
    );
    expect(shown.map(({ MessageID }) => MessageID)).toEqual(['ping-1', 'get-1']);
    for (const answer of shown) {
      const sent = examples.find(({ message }) => message.MessageID === answer['MessageID']);
      const json = answers.get(sent?.body ?? '')?.json as unknown as Record<string, unknown>;
      expect(Object.keys(json)).toEqual(Object.keys(answer));
      const { InventoryData = { BAR: [] } } = json as { InventoryData?: { BAR: unknown[] } };
      const firstNight = { BAR: InventoryData.BAR.slice(0, 1) };
      const inventory = 'InventoryData' in json && { InventoryData: firstNight };
      expect({ ...json, ...inventory, TimeStamp: answer['TimeStamp'] }).toEqual(answer);
    }
    const moved = await testEnv.DB.prepare(
      'SELECT current_status FROM applications WHERE booking_id = 7001',
    ).first('current_status');
    expect(moved).toBe('In Room');
  });

  it.each(sections)('tells the members of $type as the service reads them', ({ type, text }) => {
    const schema = schemas.get(type) ?? {};
    expect(table(text, 'member')).toEqual(membersOf(schema));
    for (const [name, { items, properties }] of Object.entries(schema.properties ?? {})) {
      if (items) expect(table(text, `member of \`${name}[]\``)).toEqual(membersOf(items));
      if (properties && name !== 'Authentication') tellsMembers(text, name, properties);
    }
  });

  it('tells the members of an agent as the service reads them', () => {
    const { agent } = schemas.get('BookingRecord')?.properties?.['BookingData']?.properties ?? {};
    const { text = '' } = sections.find(({ type }) => type === 'BookingRecord') ?? {};
    const [schema = {}] = (agent?.anyOf ?? [agent]).filter((one) => one?.properties);
    expect(table(text, 'member of `agent`')).toEqual(membersOf(schema));
    expect(membersOf(schema)).not.toEqual([]);
  });
});
