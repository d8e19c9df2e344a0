import { fileTarget } from "#fs";
import type { ByteStore } from "../sources/byte-store.js";
import type { ByteTarget } from "./byte-target.js";
import { assertOptions, describeValue, isTagged } from "../checks/index.js";
import { assertStores, schemeOf, storeOf } from "../sources/check-stores.js";
import { ArgumentError, UnsupportedError } from "../errors.js";
import {
  fileHandleTarget,
  isWritableFileHandle,
  type WritableFileHandle,
} from "../files/file-handle-target.js";

/**
 * A destination for bytes: a path or `file:` URL (Node only), a URI for one of the {@link ByteStore}s, a browser's
 * `FileSystemFileHandle`, or a target.
 */
export type TargetInput = string | URL | ByteTarget | WritableFileHandle;

/** Options of {@link openTarget}. */
export interface OpenTargetOptions {
  /** Stores for URIs. A store takes precedence over built-in schemes, including `file:`. */
  readonly stores?: readonly ByteStore[] | undefined;
}

/**
 * Opens a target for `input`. An input that is already a target is returned unchanged. A file is written under a temporary name
 * in its folder, which must exist. `commit` then gives it its final name and replaces any existing file. A symbolic link is kept,
 * and the file it points to is replaced. The new file gets the mode of the replaced file. Errors of a store are passed on.
 * @throws {SourceError} `not-found` if the folder of a file does not exist, `io-failed` (`file`) if the file cannot be written or
 *   is a pipe, socket or device.
 * @throws {ArgumentError} `invalid-argument` (`target-type`, `directory`, `store-type`, `duplicate-scheme`).
 * @throws {UnsupportedError} `unsupported` (`url-scheme`, `read-only-store`, or `file-system` in browsers).
 */
export async function openTarget(input: TargetInput, options: OpenTargetOptions = {}): Promise<ByteTarget> {
  assertOptions("openTarget", options, { stores: null });
  const { stores = [] } = options;
  assertStores(stores);
  if (typeof input === "string") return openNamed(input, stores);
  if (isTagged("URL")(input)) return openNamed((input as URL).href, stores);
  if (isByteTarget(input)) return input;
  if (isWritableFileHandle(input)) return fileHandleTarget(input);
  throw new ArgumentError(
    "invalid-argument",
    `The target must be a path, URL, ByteTarget or file handle, found ${describeValue(input)}.`,
    { argument: "target", reason: "target-type" },
  );
}

/** Returns true if `input` has the required members of a {@link ByteTarget}. */
export function isByteTarget(input: unknown): input is ByteTarget {
  if (typeof input !== "object" || input === null) return false;
  const { uri, write, commit, discard } = input as Partial<ByteTarget>;
  return typeof uri === "string" && [write, commit, discard].every((member) => typeof member === "function");
}

async function openNamed(name: string, stores: readonly ByteStore[]): Promise<ByteTarget> {
  const store = storeOf(name, stores);
  const scheme = schemeOf(name);
  if (store?.create !== undefined) {
    const target: unknown = await store.create(name);
    if (isByteTarget(target)) return target;
    const message = `The store for ${scheme} URIs must create a ByteTarget for ${name}, found ${describeValue(target)}.`;
    throw new ArgumentError("invalid-argument", message, { argument: "stores", reason: "store-type" });
  }
  if (store !== undefined) {
    throw new UnsupportedError(`${name}: the store for ${scheme} URIs is read-only.`, {
      feature: `writing to ${scheme}`,
      reason: "read-only-store",
    });
  }
  if (scheme !== null && scheme !== "file:" && name.startsWith("//", scheme.length)) {
    throw new UnsupportedError(
      `${name}: no store writes ${scheme} URIs. Pass a store for them in the option \`stores\`.`,
      {
        feature: `${scheme} URLs`,
        reason: "url-scheme",
      },
    );
  }
  return fileTarget(name);
}
