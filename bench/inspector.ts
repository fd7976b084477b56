/** A connection to V8's inspector of one isolate. */
export interface Inspector {
  /** Sends one command and returns its result. Rejects when V8 refuses it or the connection breaks. */
  send<T>(method: string): Promise<T>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Connects to an inspector's websocket. */
export async function openInspector(url: URL): Promise<Inspector> {
  const socket = new WebSocket(url.href);
  const waiting = new Map<number, Waiting>();
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`${url.href} does not answer`)));
  });
  socket.addEventListener('message', ({ data }) => settle(waiting, JSON.parse(String(data))));
  socket.addEventListener('close', () => {
    for (const one of waiting.values())
      one.reject(new Error('The inspector closed the connection.'));
    waiting.clear();
  });
  let last = 0;
  return {
    send<T>(method: string) {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ id, method }));
      return new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: (result) => resolve(result as T), reject });
      });
    },
    close: () => socket.close(),
  };
}

/** Settles the command of a message. Ignores events, which have no id. */
function settle(waiting: Map<number, Waiting>, { id = 0, result, error }: Answer): void {
  const one = waiting.get(id);
  waiting.delete(id);
  if (error) one?.reject(new Error(error.message));
  else one?.resolve(result);
}
