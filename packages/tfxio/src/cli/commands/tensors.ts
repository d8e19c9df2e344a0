import { concatBatches } from "@tfxio/arrow-encoding";
import { firstRows, type Tfxio } from "@tfxio/io";
import type { RecordBatch } from "apache-arrow";
import { type DeclareCommand, withExamples } from "../command.js";
import type { Host } from "../host.js";
import { inferenceExtent } from "../options/inference.js";
import { openData } from "../options/open-data.js";
import { type SomeRowsOptions, withShownRows, withSources } from "../options/source-options.js";
import { tableText } from "../output/table.js";
import { hostColumnJson, hostColumnText } from "../output/tensor-text.js";
import { counted } from "../output/units.js";

/** Options of `tfxio tensors`. */
interface TensorsOptions extends SomeRowsOptions {
  readonly infer: "full" | "first" | { readonly rows: number };
}

/** Declares `tfxio tensors`. It shows host arrays, so it does not need TensorFlow.js. */
export const declareTensors: DeclareCommand = (command, host) => {
  withExamples(
    withShownRows(
      withSources(command).option(
        "--infer <rows>",
        "rows to infer a schema from: full (all rows), first (the first batch) or a number",
        inferenceExtent,
        "full",
      ),
      3,
      "tensor",
    ),
    "tfxio tensors data.tfrecord",
    "tfxio tensors -n 32 --schema schema.pbtxt --json 'train-*.tfrecord'",
  ).action(async (sources: readonly string[], options: TensorsOptions) => {
    const inferSchema = sources.includes("-") && options.infer === "full" ? "first" : options.infer;
    const tfxio = await openData(sources, options, { inferSchema }, host);
    await showTensors(tfxio, options, host);
  });
};

/** Prints one table row or JSON line per tensor. The first rows of the data are converted as one batch. */
async function showTensors(
  tfxio: Tfxio,
  { limit, json, width }: TensorsOptions,
  { signal, stdout }: Host,
): Promise<void> {
  const adapter = tfxio.tensorAdapter();
  const batches: RecordBatch[] = [];
  for await (const batch of firstRows(tfxio, { numRows: limit, signal })) batches.push(batch);
  const [first] = batches;
  const columns =
    first === undefined
      ? {}
      : adapter.toHost(batches.length === 1 ? first : concatBatches(batches, first.schema));
  if (json === true) {
    for (const [name, spec] of adapter.typeSpecs()) {
      const column = columns[name];
      const { kind, dtype, shape } = spec;
      await stdout.write(
        `${JSON.stringify({ name, kind, dtype, shape, ...(column && { values: hostColumnJson(column) }) })}\n`,
      );
    }
    return;
  }
  const rows = [...adapter.typeSpecs()].map(([name, spec]) => {
    const column = columns[name];
    return [name, String(spec), column === undefined ? "" : hostColumnText(column)];
  });
  const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  const content = { head: ["tensor", "spec", `first ${counted(numRows, "row")}`], rows };
  await stdout.write(tableText(content, { columns: width ?? stdout.columns, hasColour: stdout.hasColour }));
}
