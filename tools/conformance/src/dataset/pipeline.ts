import { chooseFromDatasets, type Dataset, fromItems, tuple, zip } from "@tfxio/dataset";
import { NotBuiltYet } from "../outcome.js";
import { itemOf } from "./items.js";
import { applied } from "./operators.js";
import type { ChooseJson, DatasetVector, SourceJson } from "./vector.js";

/** Creates the dataset that a source describes. Its int64 scalars are bigints. */
function sourceOf(source: SourceJson | undefined): Dataset<unknown> {
  switch (source?.kind) {
    case "range": {
      const length = Math.max(0, Math.ceil((source.stop - source.start) / source.step));
      return fromItems<unknown>(
        Array.from({ length }, (_unused, index) => BigInt(source.start + index * source.step)),
      );
    }
    case "list":
      return fromItems(source.items.map((item) => itemOf(item, source.dtype)));
    case "zip": {
      const { of } = source;
      if (Array.isArray(of)) return zip(tuple(...of.map(sourceOf))) as Dataset<unknown>;
      return zip(
        Object.fromEntries(Object.entries(of).map(([name, part]) => [name, sourceOf(part)])),
      ) as Dataset<unknown>;
    }
    case "pipe":
      return applied(sourceOf(source.source), source.ops, sourceOf);
    default:
      throw new NotBuiltYet("dataset: source of record batches or endpoints");
  }
}

function chosen({ datasets, choices, stopOnEmpty }: ChooseJson): Dataset<unknown> {
  return chooseFromDatasets(datasets.map(sourceOf), fromItems(choices), { stopOnEmpty });
}

/** Builds the dataset of a test vector: its `source` or `choose`, followed by the operations of its `pipeline`. */
export function buildPipeline({ source, pipeline = [], choose }: DatasetVector): Dataset<unknown> {
  return applied(choose === undefined ? sourceOf(source) : chosen(choose), pipeline, sourceOf);
}
