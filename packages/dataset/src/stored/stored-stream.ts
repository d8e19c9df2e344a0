import { loadStored } from "#stored";
import { ArgumentError, SourceError } from "@tfxio/wire";
import type { Block } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems } from "../sources/factory-items.js";
import type { Manifest } from "./stored-folder.js";

/** Returns a plan of the elements stored in a folder. Opens nothing before the first read. */
export function storedPlan(folder: string): Plan {
  let known: Manifest | undefined;
  const readKnown = async (): Promise<Manifest> => {
    known = await (await loadStored()).readManifest(folder);
    if (known !== undefined) return known;
    throw new SourceError(
      "not-found",
      `${folder} must contain stored elements, but has no manifest.json, which is saved last. Save the elements again.`,
      {
        uri: folder,
      },
    );
  };
  return {
    node: { name: "fromSaved", inputs: [] },
    cardinality: () => known?.numElements ?? "unknown",
    tf: undefined,
    reshuffles: false,
    moved: { arrowSchema: undefined },
    open: (pass) => storedStream(folder, readKnown, pass),
  };
}

/** Opens a stream of the elements in a folder. It reads one record batch at a time. */
export function storedStream(
  folder: string,
  manifest: () => Manifest | Promise<Manifest>,
  pass: Pass,
): BlockStream {
  const { signal } = pass;
  const ready = new BlockQueue();
  const items = new FactoryItems<Block>(
    async function* () {
      const { readStored } = await loadStored();
      yield* readStored(folder, await manifest(), signal);
    },
    "fromSaved",
    signal,
    "reading the stored elements",
  );
  return {
    async read(maxRows) {
      const pause = pass.pacer.pause(signal);
      if (pause !== undefined) await pause;
      if (ready.length === 0) {
        const next = await items.next();
        if (next === null) return null;
        ready.push(next[0]);
      }
      return ready.read(maxRows);
    },
    async close() {
      ready.dispose();
      await items.close();
    },
  };
}

/**
 * Asserts that a folder was filled by the dataset that `expected` describes.
 * @throws {ArgumentError} `invalid-argument` (`other-plan`) if another dataset filled it.
 */
export function assertOfPlan({ plan }: Manifest, expected: string, folder: string): void {
  if (plan === expected) return;
  throw new ArgumentError(
    "invalid-argument",
    `cache: ${folder} must hold elements of ${expected}, found those of ${plan}. Remove the folder, or choose another.`,
    { argument: "folder", reason: "other-plan" },
  );
}
