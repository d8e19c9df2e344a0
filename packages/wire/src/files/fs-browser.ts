import { UnsupportedError } from "../errors.js";
import type * as node from "./fs-node.js";

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const fileSource: typeof node.fileSource = async (path) => {
  throw noFileSystem(`${String(path)} cannot be read`);
};

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const findFiles: typeof node.findFiles = async (pattern) => {
  throw noFileSystem(`${pattern} cannot be read`);
};

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const fileTarget: typeof node.fileTarget = async (path) => {
  throw noFileSystem(`${String(path)} cannot be written`);
};

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const renameFile: typeof node.renameFile = async (from) => {
  throw noFileSystem(`${String(from)} cannot be renamed`);
};

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const removeFile: typeof node.removeFile = async (file) => {
  throw noFileSystem(`${String(file)} cannot be removed`);
};

/** Resolves with undefined, because browsers have no files with paths. */
export const fileIdentity: typeof node.fileIdentity = async () => undefined;

/** @throws {UnsupportedError} `unsupported` (`file-system`): browsers have no paths. */
export const createFolder: typeof node.createFolder = async (folder) => {
  throw noFileSystem(`${folder} cannot be created`);
};

function noFileSystem(what: string): UnsupportedError {
  return new UnsupportedError(
    `${what}: this runtime has no file system. Use URLs, Blobs, bytes, stores, or file handles.`,
    {
      feature: "file system",
      reason: "file-system",
    },
  );
}
