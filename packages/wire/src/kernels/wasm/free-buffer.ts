/** A global of Node and browsers, which other runtimes may lack. */
interface MessagingGlobals {
  readonly MessageChannel?: new () => { readonly port1: ClosablePort };
}

interface ClosablePort {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  close(): void;
}

let closedPort: ClosablePort | undefined;

/**
 * Frees a buffer without waiting for a garbage collection. Transfers it to a closed message port, where runtimes drop it. All
 * views of the buffer become empty. Does nothing if the buffer is already detached, if it cannot be transferred (WebAssembly
 * memory, Node's pool of small Buffers), or if the runtime lacks `MessageChannel`.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  const { MessageChannel } = globalThis as MessagingGlobals;
  if (buffer.byteLength === 0 || MessageChannel === undefined) return;
  if (closedPort === undefined) {
    closedPort = new MessageChannel().port1;
    closedPort.close();
  }
  try {
    closedPort.postMessage(null, [buffer]);
  } catch {
    // The buffer cannot be transferred. The garbage collector will free it.
  }
}
