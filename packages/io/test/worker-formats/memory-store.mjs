// A store for `mem:` URIs. Its objects are the files of a folder. Worker threads create the store from this module.
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { bytesSource, memoryTarget, SourceError } from "@tfxio/wire";

export function createStore({ folder }) {
  return {
    schemes: ["mem:"],
    async open(uri) {
      const bytes = await readFile(path.join(folder, uri.slice("mem://".length))).catch((cause) => {
        throw new SourceError("not-found", `${uri} does not exist`, { uri, cause });
      });
      return { ...bytesSource(new Uint8Array(bytes), uri), origin: undefined };
    },
    async *list(pattern) {
      const [before, after] = pattern.slice("mem://".length).split("*");
      for (const name of (await readdir(folder)).toReversed())
        if (name.startsWith(before) && name.endsWith(after)) yield { uri: `mem://${name}` };
    },
    worker: { module: import.meta.url, config: { folder } },
  };
}

/** Creates a store of objects in memory. The store has no module, so only this thread can use it. */
export function ownStore(objects, scheme = "own:") {
  return {
    schemes: [scheme],
    async open(uri) {
      const bytes = objects.get(uri);
      if (bytes === undefined) throw new SourceError("not-found", `${uri} does not exist`, { uri });
      return { ...bytesSource(bytes, uri), origin: undefined };
    },
    async *list(pattern) {
      const [before, after] = pattern.split("*");
      for (const uri of objects.keys()) if (uri.startsWith(before) && uri.endsWith(after)) yield { uri };
    },
    async create(uri) {
      const target = memoryTarget(uri);
      const commitAs = async (name) => {
        await target.commit();
        objects.set(name, target.bytes());
      };
      return { ...target, commitAs, commit: () => commitAs(uri) };
    },
  };
}
