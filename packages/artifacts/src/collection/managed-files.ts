import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, renameSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { aName, assertArgument, unusableArgument } from "@tfxio/wire/checks";
import { SourceError, UnsupportedError } from "@tfxio/wire/errors";
import { isTfxioError, type ByteStore } from "@tfxio/wire";
import { isInside, normaliseUri } from "../uris.js";
import { realPlaceOf } from "./real-place.js";

/** The storage that a sweep deletes from. All URIs passed to it are normalised. */
export interface ManagedFiles {
  /** True for a normalised URI that lies strictly inside the managed root. */
  isManaged(uri: string): boolean;
  /**
   * Resolves the links in a normalised URI, so that two names for one place are recognised. Leave it out if the storage
   * has no links.
   */
  realPlace?(uri: string): string;
  /**
   * Moves bytes out of reach, for `purge` to delete. Does nothing if they do not exist. It is called while the
   * metadata store is locked, so it must be fast. If absent, `remove` is called instead, without the lock.
   */
  detach?(uri: string): void;
  /** Deletes the bytes at the URI and below. Does nothing if they do not exist. */
  remove(uri: string): Promise<void>;
  /** Deletes all detached bytes, including bytes that an interrupted sweep left. */
  purge?(): Promise<void>;
}

/** The folder for detached bytes. It is inside the root, so that a rename can move them there. */
const TRASH = ".tfxio-trash";

/**
 * Manages the files below a folder. It rejects paths that lead out of the folder through `..` or links.
 * @param root An absolute path of an existing folder.
 * @throws {SourceError} `not-found` if the folder does not exist, `io-failed` (`file`) if it is a file.
 */
export function localFiles(root: string): ManagedFiles {
  assertArgument("root", root, aName);
  const folder = normaliseUri(root);
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
      // A disk that is not mounted must not look like deleted bytes.
      assertFolder(folder);
      return;
    }
    const realRoot = realpathSync(folder);
    if (parent !== realRoot && !isInside(parent, realRoot)) throw outside(uri, folder);
    const bytes = path.join(parent, path.basename(uri));
    // Another sweep may purge the trash between the two calls. The bytes then stay in place, so this tries again.
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
 * Manages the objects below a URI, in a store that can list and remove. Removal is slow and not atomic, so the lease of
 * the sweep must be longer than the removal of one URI takes.
 * @throws {UnsupportedError} (`store-removal`) if the store cannot list or remove.
 */
export function storedFiles(store: ByteStore, root: string): ManagedFiles {
  const folder = normaliseUri(root);
  const list = store.list?.bind(store);
  const remove = store.remove?.bind(store);
  if (list === undefined || remove === undefined) {
    throw new UnsupportedError(`Collecting in ${root} needs a store with list and remove.`, {
      feature: "removal from this store",
      reason: "store-removal",
    });
  }
  if (!store.schemes.some((scheme) => folder.toLowerCase().startsWith(scheme))) {
    throw unusableArgument(
      "root",
      `must be a URI of the store, which has the schemes ${store.schemes.join(", ")}`,
    );
  }
  const isManaged = (uri: string): boolean =>
    isInside(uri, folder) && !/[*?[\]{}]|\/\.{1,2}(?:\/|$)/u.test(uri);
  return {
    isManaged,
    remove: async (uri) => {
      if (!isManaged(uri)) throw outside(uri, folder);
      // Two globs: an artifact may be one object, or a folder.
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
    // ENOTDIR: a parent in the path is a file.
    if (["ENOENT", "ENOTDIR"].includes(String((error as { readonly code?: unknown }).code))) return undefined;
    throw error;
  }
}

function outside(uri: string, root: string): SourceError {
  return new SourceError("io-failed", `${uri} lies outside the managed root ${root} and is never deleted.`, {
    uri,
    reason: "outside-root",
  });
}
