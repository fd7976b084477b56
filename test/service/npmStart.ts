/** What `npm start` runs, as a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/environment.ts';
import { eventually } from '../support/eventually.ts';

export interface Started {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => string;
  /** The home folder, which was empty. */
  readonly home: string;
}

/** Starts on one state folder, one after the other. */
export class NpmStart {
  readonly #state: string;
  readonly #children: ChildProcess[] = [];

  constructor(state: string) {
    this.#state = state;
  }

  /** Runs what `npm start` runs, with an empty home folder, until it says that it is ready. */
  async start(
    port: number,
    [command, ...args]: readonly [string, ...string[]] = [process.execPath, 'scripts/start.ts'],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Started> {
    mkdirSync(path.join(root, '.wrangler'), { recursive: true });
    const home = mkdtempSync(path.join(this.#state, 'home-'));
    const child = spawn(command, args, {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        PORT: String(port),
        PERSIST_TO: this.#state,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        text += String(chunk);
      });
    }
    await eventually(() => expect(text.includes('Ready at') || child.exitCode !== null).toBe(true));
    return { child, output: () => text, home };
  }

  /** Every process that works on the state folder. */
  processes(): string[] {
    const all = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
    return all.filter((line) => line.includes(this.#state));
  }

  /** Waits until none of them is left. */
  end(): Promise<void> {
    return eventually(() => expect(this.processes()).toEqual([]), 100);
  }

  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
