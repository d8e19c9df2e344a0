import {
  aFunction,
  aName,
  anAbortSignal,
  anInteger,
  membersOf,
  oneOf,
  type OptionRules,
  orByName,
  aString,
  rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { aTimeout } from "../timeout-rule.js";
import type { SendOptions } from "./batch-source.js";
import type { ServedPass } from "./send-pass.js";

/** Options of {@link serveRecordBatches}. */
export interface ServeOptions extends SendOptions {
  /** Protocol of the connections. Default `"unix"` if `path` is given, else `"tcp"`. Browsers can read only from `"http"`. */
  readonly transport?: "tcp" | "unix" | "http" | undefined;
  /** Address to listen on. Default `"127.0.0.1"`, which only this machine can reach. Clients are not authenticated. */
  readonly host?: string | undefined;
  /** Port to listen on. Default 0, which chooses a free port. The server's `endpoint` contains the port number. */
  readonly port?: number | undefined;
  /** Path of the Unix socket. Default: a new one in a private folder. An existing socket without a listener is replaced. */
  readonly path?: string | undefined;
  /** Headers of every HTTP response, such as `Access-Control-Allow-Origin` for pages of other origins. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called after each pass. If it throws, the error becomes a process warning. The same applies to `onError`. */
  readonly onPass?: ((pass: ServedPass) => void) | undefined;
  /**
   * Called with the error and the pass when a pass fails, and with only the error when a client cannot be accepted. Default:
   * emits a process warning. A client that leaves is not a failure.
   */
  readonly onError?: ((error: unknown, pass: ServedPass | undefined) => void) | undefined;
  /** Aborting it closes the server. */
  readonly signal?: AbortSignal | undefined;
}

/** Rules for {@link SendOptions}. */
export const SEND_RULES: OptionRules<SendOptions> = {
  arrowSchema: rule("an Arrow schema", (value) => Array.isArray(membersOf(value)["fields"])),
  compression: oneOf("none", "lz4", "zstd"),
  stallTimeoutMs: aTimeout,
};

/** Rules for {@link ServeOptions}. */
export const SERVE_RULES: OptionRules<ServeOptions> = {
  ...SEND_RULES,
  transport: oneOf("tcp", "unix", "http"),
  host: aName,
  port: anInteger(0, 65_535),
  path: aName,
  headers: orByName(aString),
  onPass: aFunction,
  onError: aFunction,
  signal: anAbortSignal,
};

/** Returns the transport. @throws {ArgumentError} `invalid-argument` for an option that belongs to another transport. */
export function transportOf(options: ServeOptions): "tcp" | "unix" | "http" {
  const { transport = options.path === undefined ? "tcp" : "unix" } = options;
  const foreign = transport === "unix" ? (["host", "port", "headers"] as const) : (["path"] as const);
  for (const name of transport === "tcp" ? [...foreign, "headers" as const] : foreign) {
    if (options[name] === undefined) continue;
    throw unusableArgument(name, `cannot be combined with transport "${transport}"`, {
      owner: "serveRecordBatches",
    });
  }
  return transport;
}
