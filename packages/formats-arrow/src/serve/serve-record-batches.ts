import { onAbort } from "@tfxio/wire";
import { aFunction, assertArgument, assertOptions } from "@tfxio/wire/checks";
import { acceptRequests, acceptSockets } from "./accept-clients.js";
import type { RecordBatchFactory } from "./batch-source.js";
import { listenOnPath, listenOnPort } from "./listen.js";
import { SERVE_RULES, type ServeOptions, transportOf } from "./serve-options.js";
import type { ServedPass } from "./send-pass.js";

/** A listening server of record batches. */
export interface RecordBatchServer extends AsyncDisposable {
  /** The address for clients: `host:port`, `unix://path`, or a URL for HTTP. */
  readonly endpoint: string;
  /** Number of clients with a pass in progress. */
  readonly numClients: number;
  /**
   * Stops listening and disconnects all clients. A client with a pass in progress sees a truncated stream. Resolves after
   * `return()` of each factory iterator has been called. Safe to call twice.
   */
  close(): Promise<void>;
}

/**
 * Serves record batches as Arrow streams. Each client gets a new pass, for which `factory` is called. A pass ends with the end
 * marker. Then the connection is closed or, with HTTP, the response ends. Clients do not wait for each other. The next batch of a
 * pass is requested when the connection accepts more. For a slow client, the server thus holds at most one batch in addition to
 * what the connection buffers. If a client disconnects, only its pass ends, and `return()` of the factory's iterator is called.
 * After an error from the factory, the connection closes without the marker, so that the client reports `truncated-record`.
 * @throws {ArgumentError} `invalid-argument`.
 * @throws {SourceError} `io-failed` (`listen`) if the address is in use, not permitted or too long.
 * @throws the reason of `signal` if it has aborted.
 * @see The serving loop of tensorflow-io's Arrow example, which serves one client at a time.
 */
export async function serveRecordBatches(
  factory: RecordBatchFactory,
  options: ServeOptions = {},
): Promise<RecordBatchServer> {
  assertArgument("factory", factory, aFunction, "serveRecordBatches");
  assertOptions("serveRecordBatches", options, SERVE_RULES);
  const transport = transportOf(options);
  const { host = "127.0.0.1", port = 0, path, headers = {}, signal } = options;
  const { arrowSchema, compression = "none", stallTimeoutMs = Infinity, onPass, onError = warn } = options;
  signal?.throwIfAborted();

  const closing = new AbortController();
  let endpoint = "";
  const accept = transport === "http" ? acceptRequests : acceptSockets;
  const { server, passes, disconnect } = accept(factory, {
    operator: "serveRecordBatches",
    arrowSchema,
    compression,
    stallTimeoutMs,
    headers,
    signal: closing.signal,
    endpoint: () => endpoint,
    onPass(pass) {
      tell(() => onPass?.(pass), "onPass");
      if (pass.outcome === "failed") tell(() => onError(pass.error, pass), "onError");
    },
  });
  const listening =
    transport === "unix" ? await listenOnPath(server, path) : await listenOnPort(server, host, port);
  endpoint = transport === "http" ? `http://${listening.endpoint}/` : listening.endpoint;
  server.on("error", (error) => tell(() => onError(error, undefined), "onError"));

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      unsubscribe?.();
      const stopped = new Promise((resolve) => server.close(resolve));
      closing.abort(new Error("The server was closed."));
      await passes.settled();
      disconnect();
      await stopped;
      await listening.cleanUp();
    })();
    return closed;
  };
  const unsubscribe = signal && !signal.aborted ? onAbort(signal, () => void close()) : undefined;
  if (signal?.aborted === true) await close();
  signal?.throwIfAborted();
  return {
    endpoint,
    get numClients() {
      return passes.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Calls `onPass` or `onError`. If it throws, the error becomes a process warning, and the server and the process continue. */
function tell(listener: () => void, name: string): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(`serveRecordBatches: ${name} failed: ${String(error)}`);
  }
}

/** Reports an error as a process warning if there is no `onError`, so that it is not lost. */
function warn(error: unknown, pass: ServedPass | undefined): void {
  const { client = "" } = pass ?? {};
  const where = client === "" ? "" : ` (client ${client})`;
  process.emitWarning(`serveRecordBatches${where}: ${String(error)}`);
}
