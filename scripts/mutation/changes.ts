/** The small changes that mutation tests make to pure rules, by Stryker's instrumenter. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The places of pure rules. */
export const PURE_RULES: readonly string[] = [
  'src/core/**/*.ts',
  'src/money/pricing/*.ts',
  'src/**/rules/**/*.ts',
  'src/**/rules.ts',
  'src/**/states.ts',
  'src/booking/queue.ts',
];

/** A place in a file; lines and columns begin at 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** One change, as the instrumenter describes it. */
export interface Change {
  readonly id: string;
  readonly fileName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** The part of `@stryker-mutator/instrumenter` that is used here. */
interface Library {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { name: string; mutate: true; content: string }[],
      options: object,
    ): Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[];
      readonly mutants: readonly Change[];
    }>;
  };
}

/** Hears nothing of what the instrumenter says. */
const ignore = (): void => undefined;
const silence = { debug: ignore, info: ignore, warn: ignore, isDebugEnabled: ignore };

/**
 * Writes each change into the files of `sandbox`, behind a switch that a test's runner turns on. `patterns` say which files;
 * `library` is the path of the instrumenter's module. Returns all changes.
 */
export async function writeChanges(
  sandbox: string,
  patterns: readonly string[],
  library: string,
): Promise<readonly Change[]> {
  const { Instrumenter } = (await import(library)) as Library;
  const instrumenter = new Instrumenter(silence);
  const names = patterns.flatMap((pattern) => globSync(pattern, { cwd: sandbox })).toSorted();
  const { files, mutants } = await instrumenter.instrument(
    [...new Set(names)].map((name) => ({
      name,
      mutate: true as const,
      content: readFileSync(path.join(sandbox, name), 'utf8'),
    })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  for (const { content, name } of files) writeFileSync(path.join(sandbox, name), content);
  return mutants;
}
