import { socketOf } from "#sockets";
import { invalidArgument } from "@tfxio/wire/checks";
import { ArgumentError } from "@tfxio/wire/errors";
import { type OpenEndpoint, parseEndpoint } from "./endpoint.js";
import { httpEndpoint } from "./http-endpoint.js";

/**
 * An endpoint: text (see {@link parseEndpoint}), a `URL` object whose scheme is `http:` or `https:`, or a function that opens the
 * byte stream of each pass, for instance from a WebSocket.
 */
export type EndpointInput = string | URL | OpenEndpoint;

/** An endpoint that is opened for each pass. */
export interface OpenableEndpoint {
  /** Names the endpoint in errors. */
  readonly uri: string;
  readonly open: OpenEndpoint;
  /** True for a file descriptor, which can be opened only once, so no failed connection is retried. Default false. */
  readonly isOnePass?: boolean | undefined;
}

/**
 * Prepares an endpoint without connecting to it.
 * @throws {ArgumentError} `invalid-argument` (`endpoint`).
 * @throws {UnsupportedError} `unsupported` (`endpoint`) for an endpoint given as text, in a browser.
 */
export function openableEndpoint(input: EndpointInput): OpenableEndpoint {
  if (typeof input === "function") return { uri: "stream", open: input };
  if (input instanceof URL && /^https?:$/.test(input.protocol)) {
    return { uri: input.href, open: httpEndpoint(input) };
  }
  if (typeof input !== "string") {
    const expected =
      'text such as "host:port", a URL object whose scheme is http: or https:, or a function that opens the stream';
    throw invalidArgument("endpoint", expected, input, { reason: "endpoint" });
  }
  const endpoint = parseEndpoint(input);
  const open = socketOf(endpoint, input);
  return endpoint.kind === "fd"
    ? { uri: input, open: once(open, input), isOnePass: true }
    : { uri: input, open };
}

/** Allows only one pass, because a descriptor delivers its bytes only once. */
function once(open: OpenEndpoint, uri: string): OpenEndpoint {
  let isRead = false;
  return (options) => {
    if (isRead) {
      throw new ArgumentError("invalid-argument", `${uri} can be read only once.`, {
        reason: "not-reiterable",
        argument: "endpoint",
      });
    }
    isRead = true;
    return open(options);
  };
}
