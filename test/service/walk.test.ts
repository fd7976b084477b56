/** Every command of the pages that one can paste, as it stands there and in order, against a fresh service. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { type ReferencePms, startPms } from '../../scripts/pms/server.ts';
import { seeded } from '../../scripts/seed.ts';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';

/** Where the pages say that the service is. */
const WRITTEN_BASE = 'http://127.0.0.1:8787';

/** A command of a page, and the answer that the page shows after it; null without one. */
interface Step {
  readonly command: string;
  readonly shown: unknown;
}

/** The steps of a page, without those that start something. An answer stands right after its command. */
function stepsOf(page: string): Step[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  const steps = text.matchAll(/^```(?:bash|sh)\n(.*?)^```$(?:\n\n```json\n(.*?)^```$)?/gms);
  return [...steps].flatMap(([, command = '', answer]) => {
    if (command.startsWith('npm ')) return [];
    const shown: unknown = answer === undefined ? null : JSON.parse(answer);
    return [{ command, shown }];
  });
}

/** A shell into which commands are pasted. */
class Shell {
  readonly #shell: ChildProcessWithoutNullStreams = spawn('bash', ['--noprofile', '--norc']);
  #output = '';
  #pasted = 0;

  constructor() {
    const add = (chunk: Buffer) => {
      this.#output += String(chunk);
    };
    this.#shell.stdout.on('data', add);
    this.#shell.stderr.on('data', add);
  }

  /** Runs a command and returns all that it printed. */
  async paste(command: string): Promise<string> {
    this.#pasted += 1;
    const mark = `--- ${this.#pasted} ---\n`;
    this.#output = '';
    this.#shell.stdin.write(`${command}\nprintf '%s\\n' '${mark.trim()}'\n`);
    await expect.poll(() => this.#output, { timeout: PATIENCE_MS }).toContain(mark);
    return this.#output.replace(mark, '');
  }

  end(): void {
    this.#shell.kill('SIGKILL');
  }
}

/** What differs each time: ids, tokens and times. The form of each must be the one that is shown. */
const CHANGING: readonly RegExp[] = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  /^[0-9a-f]{32}$/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^[\w-]{43}$/,
  /^sandbox_[0-9a-f]{24}$/,
  /^APP-[0-9A-Z]{10}$/,
  /^\d{15}$/,
  /^(sandbox-demo-|Payments and refunds of )\d{4}-\d\d-\d\d$/,
];

/** Members that are drawn at random, or sum up what happened on the day by then. */
const CHANGING_MEMBERS = ['MessageID', 'grossAmount', 'fee', 'netAmount'];

/** The paths at which an answer is not as shown. A shown text may end early with `…`, a shown list too. */
function differences(shown: unknown, answer: unknown, at = ''): string[] {
  if (shown === null || typeof shown !== 'object') {
    const changes = CHANGING_MEMBERS.some((name) => at.endsWith(`.${name}`));
    const isRight = changes ? typeof shown === typeof answer : isAsShown(shown, answer);
    return isRight ? [] : [`${at}: ${JSON.stringify(answer)}`];
  }
  if (answer === null || typeof answer !== 'object') return [`${at}: ${JSON.stringify(answer)}`];
  const members = answer as Record<string, unknown>;
  return Object.entries(shown).flatMap(([name, value]) =>
    differences(value, members[name], `${at}.${name}`),
  );
}

function isAsShown(shown: unknown, answer: unknown): boolean {
  if (shown === answer) return true;
  if (typeof shown !== typeof answer) return false;
  const [text, other] = [String(shown), String(answer)];
  if (text.includes('…')) return other.startsWith(text.slice(0, text.indexOf('…')));
  return CHANGING.some((form) => form.test(text) && form.test(other));
}

/** Whether a command changes nothing, so that it can be repeated until what it waits for has happened. */
function onlyReads(command: string): boolean {
  const posted = [...command.matchAll(/(?:post|message) (\/\S+)/g)].map(([, to = '']) => to);
  return posted.every((to) => /\/(?:list|get-\w+|transaction)$/.test(to));
}

/** What keeps the answers from showing what the page shows: the faults of the answer that comes nearest to it. */
function faultsOf(shown: unknown, printed: string): string[] {
  const answers = printed.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as unknown] : [];
    } catch {
      return [];
    }
  });
  const [nearest] = answers
    .map((answer) => differences(shown, answer))
    .toSorted((one, other) => one.length - other.length);
  return nearest ?? [`no answer: ${printed}`];
}

/** Pages whose commands go on from each other. On the second one the PMS of the property runs. */
const WALKS = [
  { pages: ['README.md', 'docs/tour.md'], isPossible: true },
  // Their commands use jq.
  {
    pages: ['docs/interface.md', 'docs/pms.md'],
    isPossible: spawnSync('jq', ['--version']).status === 0,
  },
] as const;

describe.each(WALKS)('the commands of $pages', ({ pages }) => {
  const steps = pages.flatMap(stepsOf);

  it('are found, with the answers that are shown', () => {
    expect(steps.length).toBeGreaterThan(18);
    expect(steps.filter(({ shown }) => shown !== null).length).toBeGreaterThan(9);
  });

  it('let curl say when it reaches nothing', () => {
    expect(steps.filter(({ command }) => /curl(?! -sS)[ -]/.test(command))).toEqual([]);
  });
});

describe.runIf(isLong).each(WALKS.filter(({ isPossible }) => isPossible))(
  'who pastes every command of $pages',
  ({ pages: [first, second] }) => {
    const state = stateFolder();
    const shell = new Shell();
    let service: Service | null = null;
    let pms: ReferencePms | null = null;
    let pmsPort = 0;

    beforeAll(async () => {
      service = await startService({ port: await freePort(), persistTo: state.path });
      // Another PMS may have the port that is seeded.
      pmsPort = await freePort();
      const address = { url: `http://127.0.0.1:${pmsPort}/pms` };
      await new Client(service.url).property(seeded.property, {
        name: 'Demo Property',
        pms: { ...address, username: 'pms-user', password: 'pms-pass' },
      });
    });

    afterAll(async () => {
      shell.end();
      await pms?.stop();
      await service?.kill();
      state.remove();
    });

    /** Pastes a page's commands. Where one only reads, it is pasted until what the page shows has happened. */
    async function walk(page: string): Promise<void> {
      for (const { command, shown } of stepsOf(page)) {
        const faults = (printed: string) => (shown === null ? [] : faultsOf(shown, printed));
        let printed = await paste(command);
        for (
          let tries = 0;
          tries < 30 && onlyReads(command) && faults(printed).length > 0;
          tries += 1
        ) {
          await paste(`sleep 0.5; curl -sS "$base/cdn-cgi/local/scheduled?cron=*+*+*+*+*"`);
          printed = await paste(command);
        }
        expect(printed, command).not.toMatch(/"success":false|"code":|curl: /);
        expect(faults(printed), command).toEqual([]);
      }
    }

    async function paste(command: string): Promise<string> {
      const { url } = service ?? { url: '' };
      const printed = await shell.paste(command.replaceAll(WRITTEN_BASE, url));
      return printed.replaceAll(url, WRITTEN_BASE);
    }

    it('sees what the first page shows', () => walk(first));

    it('sees what the second page shows', async () => {
      pms = await startPms({ port: pmsPort });
      await walk(second);
    });
  },
);
