import { UnsupportedError } from "@tfxio/wire";
import type * as node from "./load-node.js";

/** Rejects in browsers, which have no folders. @throws {UnsupportedError} `unsupported` (`file-system`) always. */
export const loadStored: typeof node.loadStored = async () => {
  throw new UnsupportedError(
    "Elements are stored in folders, but this runtime has no file system. Use Node.",
    {
      feature: "file system",
      reason: "file-system",
    },
  );
};
