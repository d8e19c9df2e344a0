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
 * Frees a buffer without waiting for a garbage collection: runtimes drop buffers that are transferred to a closed port. All views of the
 * buffer become empty. A buffer that is already detached stays as it is, and so does every buffer where `MessageChannel` is missing.
 */
export function freeBuffer(buffer: ArrayBuffer): void {
  const { MessageChannel } = globalThis as MessagingGlobals;
  if (buffer.byteLength === 0 || MessageChannel === undefined) return;
  if (closedPort === undefined) {
    closedPort = new MessageChannel().port1;
    closedPort.close();
  }
  closedPort.postMessage(null, [buffer]);
}
