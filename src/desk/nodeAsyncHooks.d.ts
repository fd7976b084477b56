/** What `words.ts` uses of Node's `async_hooks`: the Worker's types do not have it. */
declare module 'node:async_hooks' {
  export class AsyncLocalStorage<T> {
    run<R>(store: T, run: () => R): R;
    getStore(): T | undefined;
  }
}
