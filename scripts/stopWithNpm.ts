/** How often to check that npm is still running. */
const CHECK_MS = 500;

/**
 * Calls `stop` when npm has gone. npm passes a signal only to the shell that runs a script, and that shell ends without
 * it. Does nothing for a script that npm did not start as `lifecycle`.
 */
export function stopWithNpm(lifecycle: string, stop: () => void): void {
  if (process.env['npm_lifecycle_event'] !== lifecycle) return;
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    stop();
  }, CHECK_MS);
  check.unref();
}
