/** What `packed.ts` uses of Node's `zlib`: the Worker's types do not have it. */
declare module 'node:zlib' {
  interface RawOptions {
    readonly dictionary: Uint8Array;
    readonly level?: number;
    readonly windowBits?: number;
    readonly memLevel?: number;
  }
  export function deflateRawSync(data: Uint8Array, options: RawOptions): Uint8Array;
  export function inflateRawSync(data: Uint8Array, options: RawOptions): Uint8Array;
}
