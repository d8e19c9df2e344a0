import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, renameSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import {
  aFunction,
  aListOfNames,
  aName,
  assertArgument,
  membersOf,
  rule,
  type Rule,
  unusableArgument,
} from "@tfxio/wire/checks";
import { SourceError, UnsupportedError } from "@tfxio/wire/errors";
import { isTfxioError, type ByteStore } from "@tfxio/wire";
import { isInside, normalizeUri } from "../uris.js";
import { realPlaceOf } from "./real-place.js";

/** The storage from which a sweep deletes bytes. The sweep passes only normalized URIs. */
export interface ManagedFiles {
  /** True if the bytes at a normalized URI may be deleted. Must be false for URIs not strictly inside the managed root. */
  isManaged(uri: string): boolean;
  /**
   * Resolves the links in a normalized URI, so that the sweep recognizes two names of the same place. Omit this method if the
   * storage has no links.
   */
  realPlace?(uri: string): string;
  /**
   * Makes the bytes at the URI and below inaccessible, so that `purge` can delete them later. Does nothing if no bytes
   * exist there. The sweep calls this method while it holds the lock of the metadata store, so it must be fast. If the
   * method is absent, the sweep calls `remove` instead, without the lock.
   */
  detach?(uri: string): void;
  /** Deletes the bytes at the URI and below. Does nothing if no bytes exist there. */
  remove(uri: string): Promise<void>;
  /** Deletes all detached bytes, including those that an interrupted sweep left behind. */
  purge?(): Promise<void>;
}

const aByteStore: Rule = rule("a ByteStore", (value) => {
  const { schemes, open, list, remove } = membersOf(value);
  const areMethods = [list, remove].every((method) => method === undefined || aFunction.holds(method));
  return aListOfNames.holds(schemes) && aFunction.holds(open) && areMethods;
});

/** The folder for detached bytes. It lies inside the root, so a rename can move the bytes there without copying them. */
const TRASH = ".tfxio-trash";

/**
 * Returns access to the files below a folder, for {@link sweep}. The methods `detach` and `remove` reject paths that lead out of
 * the folder, even through `..` or links.
 * @param root The absolute path or local URI of an existing folder, but not `/`.
 * @throws {ArgumentError} `invalid-argument` if `root` is not such a path.
 * @throws {SourceError} `not-found` if `root` does not exist, `io-failed` (`file`) if it is a file.
 */
export function localFiles(root: string): ManagedFiles {
  assertArgument("root", root, aName);
  const folder = normalizeUri(root);
  if (!path.isAbsolute(folder) || folder === "/") {
    throw unusableArgument("root", `must be an absolute path other than /, found ${root}`);
  }
  assertFolder(folder);
  const trash = path.join(folder, TRASH);
  const isManaged = (uri: string): boolean => isInside(uri, folder) && uri !== trash && !isInside(uri, trash);
  const assertManaged = (uri: string): void => {
    if (!isManaged(uri)) throw outside(uri, folder);
  };
  const detach = (uri: string): void => {
    assertManaged(uri);
    try {
      moveToTrash(uri);
    } catch (error) {
      if (isTfxioError(error)) throw error;
      throw new SourceError("io-failed", `${uri} cannot be deleted: ${String(error)}`, {
        uri,
        reason: "file",
        cause: error,
      });
    }
  };
  const moveToTrash = (uri: string): void => {
    const parent = ifThere(() => realpathSync(path.dirname(uri)));
    if (parent === undefined) {
      // If the whole root is missing, its disk is probably not mounted. Then the bytes must not count as deleted.
      assertFolder(folder);
      return;
    }
    const realRoot = realpathSync(folder);
    if (parent !== realRoot && !isInside(parent, realRoot)) throw outside(uri, folder);
    const bytes = path.join(parent, path.basename(uri));
    // Another sweep may purge the trash folder between mkdir and rename. Then the bytes are still in place, so retry.
    while (lstatSync(bytes, { throwIfNoEntry: false }) !== undefined) {
      mkdirSync(trash, { recursive: true });
      ifThere(() => renameSync(bytes, path.join(trash, randomUUID())));
    }
  };
  const purge = (): Promise<void> => rm(trash, { recursive: true, force: true, maxRetries: 5 });
  return {
    isManaged,
    realPlace: realPlaceOf,
    detach,
    purge,
    remove: async (uri) => {
      detach(uri);
      await purge();
    },
  };
}

/**
 * Returns access to the objects below a URI in a byte store, for {@link sweep}. The store must have the methods `list` and
 * `remove`. Removal is slow and not atomic, so `leaseMs` of the sweep must exceed the time that the removal of one URI takes.
 * URIs with pattern characters or with a segment `.` or `..` are not managed.
 * @throws {UnsupportedError} `unsupported` (`store-removal`) if the store lacks `list` or `remove`.
 * @throws {ArgumentError} `invalid-argument` if `store` is not a ByteStore, or `root` begins with none of the store's schemes.
 */
export function storedFiles(store: ByteStore, root: string): ManagedFiles {
  assertArgument("store", store, aByteStore);
  assertArgument("root", root, aName);
  const folder = normalizeUri(root);
  const list = store.list?.bind(store);
  const remove = store.remove?.bind(store);
  if (list === undefined || remove === undefined) {
    throw new UnsupportedError(
      `Deleting below ${root} needs a byte store with the methods list() and remove().`,
      {
        feature: "removal from this store",
        reason: "store-removal",
      },
    );
  }
  if (!store.schemes.some((scheme) => folder.toLowerCase().startsWith(scheme))) {
    throw unusableArgument(
      "root",
      `must begin with a scheme of the store (${store.schemes.join(", ")}), found ${root}`,
    );
  }
  const isManaged = (uri: string): boolean =>
    isInside(uri, folder) && !/[*?[\]{}]|\/\.{1,2}(?:\/|$)/u.test(uri);
  return {
    isManaged,
    remove: async (uri) => {
      if (!isManaged(uri)) throw outside(uri, folder);
      // An artifact may be one object or a folder, so list both the URI itself and everything below it.
      for (const pattern of [uri, `${uri}/**`]) {
        for await (const entry of list(pattern)) {
          if (entry.uri === uri || isInside(entry.uri, uri)) await removed(remove, entry.uri);
        }
      }
    },
  };
}

async function removed(remove: (uri: string) => Promise<void>, uri: string): Promise<void> {
  try {
    await remove(uri);
  } catch (error) {
    if (!isTfxioError(error, "not-found")) throw error;
  }
}

function assertFolder(folder: string): void {
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry === undefined)
    throw new SourceError("not-found", `The managed root ${folder} does not exist.`, { uri: folder });
  if (entry.isDirectory()) return;
  throw new SourceError("io-failed", `The managed root ${folder} must be a folder, found a file.`, {
    uri: folder,
    reason: "file",
  });
}

function ifThere<Result>(call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    // ENOTDIR means that a parent in the path is a file, so the path does not exist either.
    if (["ENOENT", "ENOTDIR"].includes(String((error as { readonly code?: unknown }).code))) return undefined;
    throw error;
  }
}

function outside(uri: string, root: string): SourceError {
  return new SourceError(
    "io-failed",
    `A sweep must not delete ${uri}: it is not inside ${root}, or it is excluded from sweeps.`,
    {
      uri,
      reason: "outside-root",
    },
  );
}
