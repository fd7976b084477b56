import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser';

/**
 * Which imports the house allows. `npm run check:rooms` checks them; type imports count like any other.
 * docs/architecture.md says what each room holds, and `npm run draw:rooms` draws them there.
 */

/** The rooms of `src` from top to bottom: a room imports only rooms below it. */
export const ROOMS: readonly string[] = [
  'sweeps',
  'sandbox',
  'sites',
  'api',
  'http',
  'desk',
  'retention',
  'reconciliation',
  'booking',
  'events',
  'mails',
  'money',
  'pms',
  'exports',
  'disbursements',
  'moves',
  'operation',
  'records',
  'delivery',
  'gateways',
  'platform',
  'schema',
  'core',
];

/** Rooms beside each other: neither imports the other, although one is listed above. */
const APART: readonly (readonly [string, string])[] = [
  ['sites', 'api'],
  ['exports', 'pms'],
  ['disbursements', 'exports'],
  ['events', 'mails'],
  ['mails', 'pms'],
  ['mails', 'exports'],
  ['mails', 'disbursements'],
  ['mails', 'operation'],
];

/** The parts of the room `money`, from top to bottom. */
export const MONEY: readonly string[] = [
  'guest',
  'recovery',
  'settlements',
  'virtualCards',
  'folio',
  'refunds',
  'disputes',
  'plans',
  'payments',
  'pricing',
  'balance',
  'gateway',
];

/**
 * Pure decisions: no I/O, no clock, no platform. A file is pure by its place: `core`, `money/pricing`, a folder `rules`,
 * or the name `rules.ts` or `states.ts`. `.oxlintrc.json` forbids clocks and chance in the same places.
 */
const PURE = ['^src/core/', '^src/money/pricing/', '/rules/', '/(rules|states)\\.ts$'];

/** Libraries that pure files may use: they compute, and do no I/O. */
const PURE_LIBRARIES =
  '^node_modules/(big\\.js|bowser|card-validator|currency-codes|fast-xml-builder|intl-messageformat|saxes|temporal-polyfill|uuid)/|^locales/|^(node:)?zlib$|^@schummar/';

/** What callers see of a record: its schema, and the pure function that makes it. */
const VIEW = '^src/.*/(views|listedView|answer|columns)\\.ts$';

/** The drizzle schema: names, types and enumerations of columns. */
const TABLES = '^src/schema/';

/** What the BigQuery schema is made from. */
const COLUMNS = '^src/exports/columns\\.ts$';

const STORE = '^src/.*([sS])tore\\.ts$';

type Rule = Extract<IForbiddenRuleType, { to: { circular?: boolean } }>;

function forbid(name: string, comment: string, from: Rule['from'], to: Rule['to']): Rule {
  return { name, comment, severity: 'error', from, to };
}

/** `room` imports no room above it, and none of the files that wire everything. */
function downwards(room: string, index: number): IForbiddenRuleType {
  const above = ROOMS.slice(0, index).join('|');
  return forbid(
    `rooms-${room}`,
    `Rooms import downwards only: ${ROOMS.join(' > ')}.`,
    { path: `^src/${room}/` },
    { path: index === 0 ? '^src/[^/]+$' : `^src/((${above})/|[^/]+$)` },
  );
}

function apart([one, other]: readonly [string, string]): IForbiddenRuleType {
  const comment = `${one} and ${other} know nothing of each other.`;
  return forbid(
    `apart-${one}-${other}`,
    comment,
    { path: `^src/${one}/` },
    { path: `^src/${other}/` },
  );
}

function downwardsInMoney(part: string, index: number): IForbiddenRuleType {
  return forbid(
    `money-${part}`,
    `The parts of money import downwards only: ${MONEY.join(' > ')}. All may show what the others show.`,
    { path: `^src/money/${part}/` },
    { path: `^src/money/(${MONEY.slice(0, index + 1).join('|')})/`, pathNot: VIEW },
  );
}

export const house: IConfiguration = {
  forbidden: [
    ...ROOMS.map(downwards),
    ...APART.map(apart),
    ...MONEY.slice(1).map(downwardsInMoney),
    forbid('no-circle', 'No two files import each other.', {}, { circular: true }),
    forbid(
      'pure',
      'Pure files use only core, each other and the types of others.',
      { path: PURE },
      { pathNot: [...PURE, PURE_LIBRARIES, COLUMNS], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'view',
      'A view knows its schema, pure files, other views and the tables: nothing that reads, writes or serves.',
      { path: VIEW },
      {
        pathNot: [...PURE, PURE_LIBRARIES, VIEW, TABLES, '(^|/)@hono/zod-openapi(/|$)'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'store',
      'A store holds queries only: it calls no verb.',
      { path: STORE },
      {
        pathNot: [...PURE, VIEW, STORE, TABLES, '^src/platform/db/', '^node_modules/drizzle-orm/'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'http-libraries',
      'Verbs know no HTTP: routes, alarms and cron call them alike.',
      { pathNot: '^src/([^/]+$|(sites|api|http)/)' },
      {
        path: '(^|/)(hono|@hono)(/|$)',
        pathNot: ['hono/(dist/)?jsx', '@hono/zod-openapi(/|$)'],
      },
    ),
    forbid(
      'd1',
      'D1 is opened in platform/db only.',
      { pathNot: '^src/platform/db/' },
      { path: 'drizzle-orm/d1' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    moduleSystems: ['es6'],
  },
};
