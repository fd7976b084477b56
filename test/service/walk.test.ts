/** The walk of README.md and docs/tour.md: every command as it stands there, in order, against a fresh service. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { type ReferencePms, startPms } from '../../scripts/pms/server.ts';
import { seeded } from '../../scripts/seed.ts';
import { freePort, type Service, startService } from '../../scripts/service.ts';
import { isLong } from '../support/long.ts';
import { Client, stateFolder } from './client.ts';

/** Where the pages say that the service is. */
const WRITTEN_BASE = 'http://127.0.0.1:8787';

/** A command of a page, and the answer that the page shows after it; null without one. */
interface Step {
  readonly command: string;
  readonly shown: unknown;
}

/** The steps of a page, without those that start something. */
function stepsOf(page: string): Step[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```(bash|json)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ language, code }),
  );
  return blocks.flatMap(({ language, code }, index) => {
    if (language !== 'bash' || code.startsWith('npm ')) return [];
    const next = blocks[index + 1];
    const shown: unknown = next?.language === 'json' ? JSON.parse(next.code) : null;
    return [{ command: code, shown }];
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
    await expect.poll(() => this.#output, { timeout: 60_000 }).toContain(mark);
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
  /^APP-[0-9A-Z]{10}$/,
  /^\d{15}$/,
];

/** The paths at which an answer is not as shown. A shown text may end early with `…`, a shown list too. */
function differences(shown: unknown, answer: unknown, at = ''): string[] {
  if (shown === null || typeof shown !== 'object') {
    return isAsShown(shown, answer) ? [] : [`${at}: ${JSON.stringify(answer)}`];
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

const pages = ['README.md', 'docs/tour.md'] as const;

describe('the pages of the walk', () => {
  it('have commands, and show answers of most', () => {
    const steps = pages.flatMap(stepsOf);
    expect(steps.length).toBeGreaterThan(18);
    expect(steps.filter(({ shown }) => shown !== null).length).toBeGreaterThan(10);
  });

  it('let curl say when it reaches nothing', () => {
    const commands = pages.flatMap(stepsOf).map(({ command }) => command);
    expect(commands.filter((command) => /curl(?! -sS)/.test(command))).toEqual([]);
  });
});

describe.runIf(isLong)('a newcomer who pastes every command', () => {
  const state = stateFolder();
  const shell = new Shell();
  let service: Service | null = null;
  let pms: ReferencePms | null = null;
  let pmsPort = 0;

  beforeAll(async () => {
    service = await startService({ port: await freePort(), persistTo: state.path });
    // Another PMS may have the port that is seeded.
    pmsPort = await freePort();
    const url = `http://127.0.0.1:${pmsPort}/pms`;
    const details = {
      name: 'Demo Property',
      pms: { url, username: 'pms-user', password: 'pms-pass' },
    };
    await new Client(service.url).property(seeded.property, details);
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
      const here = command.replaceAll(WRITTEN_BASE, service?.url ?? '');
      const paste = async (text: string) =>
        (await shell.paste(text)).replaceAll(service?.url ?? '', WRITTEN_BASE);
      let printed = await paste(here);
      for (let tries = 0; tries < 30 && isAwaited(command, shown, printed); tries += 1) {
        printed = await paste(`sleep 0.5; ${here}`);
      }
      expect(printed, command).not.toMatch(/"success":false|"code":|curl: /);
      if (shown !== null) expect(faultsOf(shown, printed), command).toEqual([]);
    }
  }

  function isAwaited(command: string, shown: unknown, printed: string): boolean {
    return shown !== null && onlyReads(command) && faultsOf(shown, printed).length > 0;
  }

  it('of README.md sees what it shows', () => walk('README.md'));

  it('of docs/tour.md sees what it shows', async () => {
    pms = await startPms({ port: pmsPort });
    await walk('docs/tour.md');
  });
});
