import { UnsupportedError } from "@tfxio/wire";
import type * as node from "./load-node.js";

/** @throws {UnsupportedError} `unsupported` (`file-system`), because browsers have no folders. */
export const loadStored: typeof node.loadStored = async () => {
  throw new UnsupportedError("Elements are stored in folders, but this runtime has no file system.", {
    feature: "file system",
    reason: "file-system",
  });
};
