import { UnsupportedError } from "@tfxio/wire/errors";
import type { OpenEndpoint } from "./endpoint.js";

/** Always throws. @throws {UnsupportedError} `unsupported` (`endpoint`), because browsers have no sockets or file descriptors. */
export function socketOf(_: unknown, uri: string): OpenEndpoint {
  throw new UnsupportedError(
    `${uri} needs a socket or file descriptor, but this runtime has none. Pass a URL object for http: or https:, or a function that opens a ReadableStream.`,
    { feature: "sockets", reason: "endpoint" },
  );
}
