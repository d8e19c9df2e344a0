import { ArgumentError } from "@tfxio/wire";
import type { ReadDescription } from "./read-description.js";

const descriptions = new WeakMap<object, () => ReadDescription>();

/** Lets {@link describeRead} describe `tfxio`. */
export function rememberDescription(tfxio: object, describe: () => ReadDescription): void {
  descriptions.set(tfxio, describe);
}

/**
 * What another process needs to read exactly what `tfxio` reads: its sources and their versions, format, options,
 * columns, schema, filter and sample. Plain JSON without credentials; hand it to `openRead`. An adapter of your own is not
 * part of it.
 * @throws {UnsupportedError} `unsupported` (`worker-source`, `worker-format`, `worker-options`) for Blobs, bytes, streams,
 * records, datasets, custom sources, formats without a module, and options that JSON cannot carry.
 */
export function describeRead(tfxio: object): ReadDescription {
  const describe = descriptions.get(tfxio);
  if (describe !== undefined) return describe();
  throw new ArgumentError("invalid-argument", "describeRead takes a TFXIO, as openTfxio makes it.", {
    argument: "tfxio",
  });
}
