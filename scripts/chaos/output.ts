/** How many of the last lines are kept for a look after a failure. */
const KEPT_LINES = 40;

/** What the sandbox says when it loses an answer on purpose. */
const LOST = 'sandbox: the answer is lost';

/** What the service printed: its logs are JSON lines with an event, counted by it. */
export class ServiceOutput {
  readonly events = new Map<string, number>();
  readonly lastLines: string[] = [];
  #rest = '';

  /** Takes a piece of what was printed. */
  readonly take = (text: string): void => {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  };

  #line(line: string): void {
    // The sandbox loses answers by throwing, which the runtime reports with its place.
    if (line.trim() === '' || /^\s+at /.test(line) || line.includes(LOST)) return;
    const name = /"event":"([^"]+)"/.exec(line)?.[1] ?? 'other lines';
    this.events.set(name, (this.events.get(name) ?? 0) + 1);
    this.lastLines.push(line);
    if (this.lastLines.length > KEPT_LINES) this.lastLines.shift();
  }
}
