import { loadStored } from "#stored";
import { ArgumentError, SourceError } from "@tfxio/wire";
import type { Block } from "../blocks/block.js";
import { BlockQueue } from "../blocks/block-queue.js";
import type { BlockStream, Pass, Plan } from "../plan.js";
import { FactoryItems } from "../sources/factory-items.js";
import type { Manifest } from "./stored-folder.js";

/** The elements stored in a folder. Opens nothing before the first read. */
export function storedPlan(folder: string): Plan {
  let known: Manifest | undefined;
  const readKnown = async (): Promise<Manifest> => {
    known = await (await loadStored()).readManifest(folder);
    if (known !== undefined) return known;
    throw new SourceError(
      "not-found",
      `${folder} holds no stored elements: it has no manifest.json, which is written last.`,
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

/** A stream of the elements in a folder, read one record batch at a time. */
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
  );
  return {
    async read(maxRows) {
      const pause = pass.pacer.pause(signal);
      if (pause !== undefined) await pause;
      if (ready.length === 0) {
        const block = await items.next();
        if (block === null) return null;
        ready.push(block);
      }
      return ready.read(maxRows);
    },
    async close() {
      ready.dispose();
      await items.close();
    },
  };
}

/** @throws {ArgumentError} `invalid-argument` (`other-plan`) when another dataset filled the folder. */
export function assertOfPlan({ plan }: Manifest, expected: string, folder: string): void {
  if (plan === expected) return;
  throw new ArgumentError(
    "invalid-argument",
    `cache: ${folder} was filled by another dataset: found ${plan}, expected ${expected}; remove it, or choose another folder`,
    { argument: "folder", reason: "other-plan" },
  );
}
