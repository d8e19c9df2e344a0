import { ArgumentError } from "@tfxio/wire";
import type { ReadDescription } from "./read-description.js";

/** Facts about a TFXIO that its public interface does not provide. */
interface Described {
  describe(): ReadDescription;
  /** Paths and URLs of its sources. Blobs, bytes, streams and the caller's data have none. */
  readonly origins: readonly string[];
}

const descriptions = new WeakMap<object, Described>();

/** Stores the facts that {@link describeRead} and {@link originsOf} look up for `tfxio`. */
export function rememberDescription(tfxio: object, described: Described): void {
  descriptions.set(tfxio, described);
}

/** Returns the paths and URLs of the sources of `data`. The list is empty unless `data` is a TFXIO of this package. */
export function originsOf(data: object): readonly string[] {
  return descriptions.get(data)?.origins ?? [];
}

/**
 * Describes the read of `tfxio` so that another process can repeat it exactly. The description contains the sources and their
 * versions, the format, options, columns, schema and filter and, if `tfxio` is a part from `split()`, which part it is. The
 * result is plain JSON without the credentials of stores. Pass it to `openRead`. A custom adapter is not included.
 * @throws {ArgumentError} `invalid-argument` when this package did not create `tfxio`.
 * @throws {UnsupportedError} `unsupported` (`worker-source`, `worker-format`, `worker-options`) for Blobs, bytes, streams,
 *   records, datasets, custom sources, custom formats without a module, and options that JSON cannot represent.
 */
export function describeRead(tfxio: object): ReadDescription {
  const described = descriptions.get(tfxio);
  if (described !== undefined) return described.describe();
  throw new ArgumentError(
    "invalid-argument",
    "describeRead needs a TFXIO that @tfxio/io created, such as one from openTfxio.",
    {
      argument: "tfxio",
    },
  );
}
