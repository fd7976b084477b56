/** How many of the last lines to keep for a failure report. */
const KEPT_LINES = 40;

/** The sandbox's message when it loses an answer on purpose. */
const LOST = 'sandbox: the answer is lost';

/** The service's output. Counts its log lines (JSON) by event. */
export class ServiceOutput {
  readonly events = new Map<string, number>();
  readonly lastLines: string[] = [];
  #rest = '';

  /** Takes a piece of output. */
  readonly take = (text: string): void => {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  };

  #line(line: string): void {
    // The sandbox loses answers by throwing, and the runtime prints the stack.
    if (line.trim() === '' || /^\s+at /.test(line) || line.includes(LOST)) return;
    const name = /"event":"([^"]+)"/.exec(line)?.[1] ?? 'other lines';
    this.events.set(name, (this.events.get(name) ?? 0) + 1);
    this.lastLines.push(line);
    if (this.lastLines.length > KEPT_LINES) this.lastLines.shift();
  }
}
