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
  /** Default `"unix"` where there is a `path`, else `"tcp"`. With `"http"`, browsers can read too. */
  readonly transport?: "tcp" | "unix" | "http" | undefined;
  /** Default `"127.0.0.1"`, this machine alone: there is no authentication. */
  readonly host?: string | undefined;
  /** Default 0: a free port, which the endpoint names. */
  readonly port?: number | undefined;
  /** Path of the Unix socket. Default: a new one in a private folder. A socket there that nobody listens to is replaced. */
  readonly path?: string | undefined;
  /** Headers of every HTTP response, such as `Access-Control-Allow-Origin` for pages of other origins. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told of each pass when it is over. What it throws is a process warning, as with `onError`. */
  readonly onPass?: ((pass: ServedPass) => void) | undefined;
  /**
   * Told of each pass that failed, with the pass, and of failures to accept a client. Default: a process warning. A client that
   * has left is no failure.
   */
  readonly onError?: ((error: unknown, pass: ServedPass | undefined) => void) | undefined;
  /** Closes the server. */
  readonly signal?: AbortSignal | undefined;
}

export const SEND_RULES: OptionRules<SendOptions> = {
  arrowSchema: rule("an Arrow schema", (value) => Array.isArray(membersOf(value)["fields"])),
  compression: oneOf("none", "lz4", "zstd"),
  stallTimeoutMs: aTimeout,
};

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

/** The transport. @throws {ArgumentError} `invalid-argument` for options of another one. */
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
