import { explain, formatExplanation } from "@tfxio/schema";
import { type DeclareCommand, withExamples } from "../command.js";
import { inferenceExtent } from "../options/inference.js";
import { openData } from "../options/open-data.js";
import { type SourceOptions, withJson, withSources } from "../options/source-options.js";

/** Options of `tfxio explain`. */
interface ExplainOptions extends SourceOptions {
  readonly json?: boolean;
  readonly infer: "full" | "first" | { readonly rows: number };
  readonly group?: string;
  readonly backends?: boolean;
}

/** Declares `tfxio explain`. Stdin can be read only once, so `--infer full` works like `--infer first` on stdin. */
export const declareExplain: DeclareCommand = (command, host) => {
  withExamples(
    withJson(
      withSources(command)
        .option(
          "--infer <rows>",
          "rows to infer a schema from: full (all rows), first (the first batch) or a number",
          inferenceExtent,
          "full",
        )
        .option("--group <name>", "tensor representation group to explain; omits inferred tensors")
        .option("--backends", "also try each TensorFlow.js backend, and show why a backend cannot be used"),
      "one object",
    ),
    "tfxio explain data.tfrecord",
    "tfxio explain --schema schema.pbtxt 'train-*.tfrecord'",
  ).action(async (sources: readonly string[], options: ExplainOptions) => {
    const inferSchema = sources.includes("-") && options.infer === "full" ? "first" : options.infer;
    const tfxio = await openData(sources, options, { inferSchema }, host);
    const explanation = explain(tfxio.schema(), { group: options.group });
    const backends = options.backends === true ? await backendReport() : undefined;
    if (options.json === true) {
      const tensors = explanation.tensors.map(({ tensorName, rule, why, spec, problems, sourceColumns }) => ({
        tensorName,
        rule,
        why,
        spec,
        problems,
        sourceColumns: sourceColumns.map(String),
      }));
      const featuresWithoutTensor = explanation.featuresWithoutTensor.map((feature) => ({
        ...feature,
        path: String(feature.path),
      }));
      const object = { tensors, featuresWithoutTensor, ...(backends && { backends: backends.attempts }) };
      await host.stdout.write(`${JSON.stringify(object)}\n`);
      return;
    }
    await host.stdout.write(`${formatExplanation(explanation)}\n`);
    if (backends !== undefined) await host.stdout.write(`\n${backends.toString()}\n`);
  });
};

/** Tries the TensorFlow.js backends. TensorFlow.js is optional, so it is loaded only on request. */
async function backendReport() {
  const { explainBackends } = await import("@tfxio/tensor-adapter/backends");
  return explainBackends();
}
