import { UnsupportedError } from "@tfxio/wire/errors";
import type { OpenEndpoint } from "./endpoint.js";

/** Always throws. @throws {UnsupportedError} `unsupported` (`endpoint`), because browsers have no sockets. */
export function socketOf(_: unknown, uri: string): OpenEndpoint {
  throw new UnsupportedError(
    `${uri} needs a socket, and this runtime has none: give a URL, or a function that opens a ReadableStream.`,
    { feature: "sockets", reason: "endpoint" },
  );
}
