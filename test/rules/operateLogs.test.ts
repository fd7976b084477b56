/** The table of log lines for operators (operate: Logs) names whatever the service logs. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/operate.md'), 'utf8');
const [, logs = ''] = page.split(/^## Logs$/m);

const logged = globSync('src/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/\blog[EIW]\w+\(\s*'([a-z_]+)'/g)].map(
    ([, event = '']) => event,
  ),
);

it('each event of a log line is in the table', () => {
  expect(logged.length).toBeGreaterThan(30);
  expect(logged.filter((event) => !logs.includes(`\`${event}\``))).toEqual([]);
});
