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
 * What names a place for bytes: a path or `file:` URL (Node only), a URI of a {@link ByteStore} that was handed in, a
 * browser's `FileSystemFileHandle`, or a target.
 */
export type TargetInput = string | URL | ByteTarget | WritableFileHandle;

/** Options of {@link openTarget}. */
export interface OpenTargetOptions {
  /** Storage for URIs. A store takes precedence over what is built in, also for `file:`. */
  readonly stores?: readonly ByteStore[] | undefined;
}

/**
 * A target for `input`; a target is given back as it is. A file is written under a temporary name in the same folder,
 * which must exist, and replaces at `commit` the file that has its name. A symbolic link stays, and the file it points
 * to is replaced; a replaced file keeps its mode.
 * @throws {SourceError} `not-found` when the folder of a file does not exist, `io-failed` (`file`), also for a pipe or
 * device. {@link ArgumentError} `invalid-argument` (`target-type`, `directory`, `store-type`, `duplicate-scheme`).
 * {@link UnsupportedError} `unsupported` (`url-scheme`, `read-only-store`; `file-system` in browsers). What a store
 * throws is passed on unchanged.
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
    `The target is ${describeValue(input)}; expected a path, URL, ByteTarget or file handle.`,
    { argument: "target", reason: "target-type" },
  );
}

/** True if `input` has what a {@link ByteTarget} must have. */
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
    const message = `The store of ${name} created ${describeValue(target)}; expected a ByteTarget.`;
    throw new ArgumentError("invalid-argument", message, { argument: "stores", reason: "store-type" });
  }
  if (store !== undefined) {
    throw new UnsupportedError(`${name}: the store of ${scheme} URIs cannot be written.`, {
      feature: `writing to ${scheme}`,
      reason: "read-only-store",
    });
  }
  if (scheme !== null && scheme !== "file:" && name.startsWith("//", scheme.length)) {
    throw new UnsupportedError(`${name}: no store writes ${scheme} URIs; hand one in as an option.`, {
      feature: `${scheme} URLs`,
      reason: "url-scheme",
    });
  }
  return fileTarget(name);
}
