/** Runs wrangler's commands on a Cloudflare account, for the scripts that deploy. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { projectConfig, root, wranglerProgram } from './environment.ts';

/** What a command came to. */
export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  /** All that it wrote, for a person to read. */
  readonly output: string;
}

/** Wrangler with one configuration file, in one environment of variables. */
export interface Wrangler {
  /** Runs a command without asking anybody, and returns what it wrote. */
  run(...args: string[]): Promise<Ran>;
  /** Runs a command in the caller's terminal, where it may ask. Returns whether it succeeded. */
  show(...args: string[]): Promise<boolean>;
}

/** Wrangler for the account that `environment` has signed in. `config` is the path of a `wrangler.toml`. */
export function wranglerFor(environment: NodeJS.ProcessEnv, config = projectConfig): Wrangler {
  const start = (args: string[], stdio: 'inherit' | 'pipe') =>
    spawn(process.execPath, [...wranglerProgram, ...args, '--config', config], {
      cwd: root,
      env: environment,
      stdio: stdio === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
  return {
    run: async (...args) => {
      const child = start(args, 'pipe');
      const [stdout, stderr, code] = await Promise.all([
        child.stdout === null ? '' : text(child.stdout),
        child.stderr === null ? '' : text(child.stderr),
        new Promise<number | null>((resolve, reject) => {
          child.on('error', reject).on('close', resolve);
        }),
      ]);
      return { ok: code === 0, stdout, output: `${stdout}${stderr}`.trim() };
    },
    show: async (...args) => {
      const child = start(args, 'inherit');
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject).on('close', resolve);
      });
      return code === 0;
    },
  };
}
