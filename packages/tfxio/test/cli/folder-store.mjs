// A store for `--store`: the files of a folder, under the scheme `box:`.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { bytesSource, memoryTarget, SourceError } from "@tfxio/wire";

export function createStore({ folder }) {
  const pathOf = (uri) => path.join(folder, uri.slice("box://".length));
  return {
    schemes: ["box:"],
    async open(uri) {
      const bytes = await readFile(pathOf(uri)).catch((cause) => {
        throw new SourceError("not-found", `${uri} does not exist.`, { uri, cause });
      });
      return { ...bytesSource(new Uint8Array(bytes), uri), origin: undefined };
    },
    async *list(pattern) {
      const [before, after] = pattern.slice("box://".length).split("*");
      for (const name of await readdir(folder))
        if (name.startsWith(before) && name.endsWith(after)) yield { uri: `box://${name}` };
    },
    async create(uri) {
      const target = memoryTarget(uri);
      const commitAs = async (name) => {
        await target.commit();
        await writeFile(pathOf(name), target.bytes());
      };
      return { ...target, commitAs, commit: () => commitAs(uri) };
    },
  };
}
