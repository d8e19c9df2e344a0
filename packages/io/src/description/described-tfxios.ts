import { ArgumentError } from "@tfxio/wire";
import type { ReadDescription } from "./read-description.js";

const descriptions = new WeakMap<object, () => ReadDescription>();

/** Registers `describe` as the function by which {@link describeRead} describes `tfxio`. */
export function rememberDescription(tfxio: object, describe: () => ReadDescription): void {
  descriptions.set(tfxio, describe);
}

/**
 * Describes the read of `tfxio` so that another process can repeat it exactly: sources and their versions, format, options,
 * columns, schema, filter and sample. The result is plain JSON without credentials. Pass it to `openRead`. A custom adapter is
 * not included.
 * @throws {ArgumentError} `invalid-argument` when `tfxio` was not made by this package.
 * @throws {UnsupportedError} `unsupported` (`worker-source`, `worker-format`, `worker-options`) for Blobs, bytes, streams,
 *   records, datasets, custom sources, formats without a module, and options that JSON cannot represent.
 */
export function describeRead(tfxio: object): ReadDescription {
  const describe = descriptions.get(tfxio);
  if (describe !== undefined) return describe();
  throw new ArgumentError(
    "invalid-argument",
    "describeRead takes a TFXIO that this package made, such as one from openTfxio.",
    {
      argument: "tfxio",
    },
  );
}
