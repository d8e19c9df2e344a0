import type { ByteStream } from "@tfxio/wire";
import { ArgumentError } from "@tfxio/wire/errors";

/** The origin of a stream of record batches. */
export type Endpoint =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  /** A file descriptor that this process has open. 0 is standard input. */
  | { readonly kind: "fd"; readonly fd: number };

/** Opens the byte stream of one pass. The signal cancels the pass at any stage. */
export type OpenEndpoint = (options: { readonly signal: AbortSignal }) => ByteStream | Promise<ByteStream>;

const HOST_AND_PORT = /^(?:\[([\da-f:.%]+)\]|([^\s:/?#@[\]]+)):(\d{1,5})$/iu;
const MAX_PORT = 65_535;
const FORMS = "host:port, tcp://host:port, unix://path, fd://0, fd://- or fd://n";

/**
 * Parses `host:port`, `tcp://host:port`, `unix://path` or `fd://n`. A host is a name, an IPv4 address, or an IPv6 address in
 * brackets. `fd://-` means `fd://0`, standard input.
 * @throws {ArgumentError} `invalid-argument` (`endpoint`) for any other text.
 * @see tensorflow_io.arrow.ArrowStreamDataset
 */
export function parseEndpoint(text: string): Endpoint {
  const [, scheme = "tcp", rest = ""] = /^(?:([a-z][\w+.-]*):\/\/)?(.*)$/isu.exec(text) ?? [];
  const endpoint = PARSERS.get(scheme.toLowerCase())?.(rest);
  if (endpoint !== undefined) return endpoint;
  throw new ArgumentError("invalid-argument", `"${text}" is not an endpoint; expected ${FORMS}.`, {
    reason: "endpoint",
    argument: "endpoint",
  });
}

const PARSERS: ReadonlyMap<string, (rest: string) => Endpoint | undefined> = new Map([
  ["tcp", parseTcp],
  ["unix", parseUnix],
  ["fd", parseFd],
]);

function parseTcp(rest: string): Endpoint | undefined {
  const [, address, name, digits] = HOST_AND_PORT.exec(rest) ?? [];
  const [host, port] = [address ?? name, Number(digits)];
  return host === undefined || port < 1 || port > MAX_PORT ? undefined : { kind: "tcp", host, port };
}

function parseUnix(path: string): Endpoint | undefined {
  return path === "" || path.includes("\0") ? undefined : { kind: "unix", path };
}

function parseFd(rest: string): Endpoint | undefined {
  if (rest === "-") return { kind: "fd", fd: 0 };
  return /^\d{1,9}$/.test(rest) ? { kind: "fd", fd: Number(rest) } : undefined;
}
