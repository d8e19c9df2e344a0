import type { Format } from "@tfxio/format";
import type { Schema } from "@tfxio/schema";
import { openSources } from "@tfxio/wire";
import type { ReadTable } from "./in-process.js";

/** Reads through a format's reader, split by split, on this thread. Without `schema`, the reader infers kinds. */
export function readFormat(format: Format, schema?: Schema): ReadTable {
  return async ({ path }, sink) => {
    const sources = await openSources(path);
    const reader = await format.open(sources);
    try {
      const plan = await reader.plan({ schema });
      for (const split of plan.splits) for await (const batch of plan.read(split)) sink(batch);
    } finally {
      await reader.close();
    }
  };
}
