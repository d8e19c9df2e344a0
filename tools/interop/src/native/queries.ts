import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseProto } from "@tfxio/formats-protobuf";
import {
  type AnyDataView,
  createDataView,
  createRecordDecoder,
  createSavedQueryModel,
  type DataView,
  type DataViewOutput,
  encodeDataView,
  type Expression,
  type ModelBindings,
  type ModelRuntime,
  protoPlaceholder,
  valueFunctions,
} from "@tfxio/struct2tensor";
import { loadDataView, readSavedModel, saveDataView } from "@tfxio/struct2tensor/directory";
import type { LoadedBackend } from "@tfxio/tensor-adapter/backends";
import { isTfxioError } from "@tfxio/wire";
import { assertSame } from "../assert-same.js";
import type { Reporter } from "../interop.js";
import { type PlainTensor, plainValues, type SavedModelAnswers } from "./saved-model-answers.js";

const proto = `syntax = "proto2"; package shop;
  message Item { optional float price = 1; repeated float size = 2; optional int64 n = 3; optional bytes sku = 4; }
  message Order { repeated Item item = 1; }`;

const scoring: ModelBindings = {
  inputs: {
    price: { field: "price" },
    size: { field: "size", width: 2, padding: 0 },
    n: { field: "n" },
    sku: { field: "sku" },
  },
  outputs: {
    score: { as: "score", dtype: "float32" },
    next: { as: "next", dtype: "int64" },
    text: { as: "text", dtype: "string" },
    known: { as: "known", dtype: "int64" },
    large: { as: "large", dtype: "bool" },
  },
};

const measuring: ModelBindings = {
  inputs: { values: { field: "size", part: "values" }, splits: { field: "size", part: "rowSplits" } },
  outputs: {
    lengths: { as: "lengths", dtype: "int64" },
    sums: { as: "sums", dtype: "float32" },
  },
};

/** Models that {@link createSavedQueryModel} rejects, each with the text that its error must contain. */
const rejected: Readonly<Record<string, string>> = {
  writes: "WriteFile",
  reads: "ReadFile",
  loops: "While",
  python: "EagerPyFunc",
  fills: "Fill",
  random: "RandomStandardNormal",
  asset: "InitializeTableFromTextFileV2",
  double: "the TensorFlow type 2",
  branches: "If",
  tfx: "it has no signature",
};

/**
 * Calls SavedModels from queries, and compares the outputs with those of TensorFlow in Python, which also wrote the models.
 * @param folder The folder of the models.
 */
export async function checkQueries(
  loaded: LoadedBackend,
  folder: string,
  answers: SavedModelAnswers,
  report: Reporter,
): Promise<void> {
  const { tf } = loaded;
  const models: ModelRuntime = loaded;
  const records = answers.orders.map((order) => new TextEncoder().encode(JSON.stringify(order)));
  const files = await readSavedModel(path.join(folder, "model"));
  const cases = [
    { signature: "serving_default", bindings: scoring, expected: answers.score },
    { signature: "lengths", bindings: measuring, expected: answers.lengths },
  ];
  const temporary = await mkdtemp(path.join(tmpdir(), "tfxio-interop-"));
  try {
    for (const { signature, bindings, expected } of cases) {
      await report.check(
        `callModel: signature "${signature}" has the same outputs as in Python's TensorFlow`,
        async () => {
          const before = tf.memory().numTensors;
          const model = await createSavedQueryModel(files, models, { signature });
          const view = await viewOf((await orders()).callModel("item", model, bindings), bindings);
          assertComputed(view, records, expected);
          const directory = path.join(temporary, signature);
          await saveDataView(view, directory);
          const again = await loadDataView(directory, { models });
          assertComputed(again, records, expected);
          assertSame(
            [...(await encodeDataView(view))].map(([name, bytes]) => [name, bytes.join()]),
            [...(await encodeDataView(again))].map(([name, bytes]) => [name, bytes.join()]),
          );
          model.dispose();
          assertSame(before, tf.memory().numTensors);
        },
      );
    }
    for (const [name, problem] of Object.entries(rejected)) {
      await report.check(`the SavedModel "bad-${name}" is rejected`, async () => {
        const bad = await readSavedModel(path.join(folder, `bad-${name}`));
        await assertRejected(createSavedQueryModel(bad, models), problem);
        if (existsSync(path.join(folder, "written")))
          throw new Error("a rejected model must not write files");
      });
    }
    await report.check("damaged variables are reported as a malformed file", async () => {
      const damaged = new Map<string, Uint8Array>(
        [...files].map(([name, bytes]) => [name, bytes.slice(0, 100)]),
      );
      damaged.set("saved_model.pb", files.get("saved_model.pb")!);
      await assertRejected(createSavedQueryModel(damaged, models), "TensorFlow cannot load it");
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function orders(): Promise<Expression> {
  return protoPlaceholder(await parseProto(proto, "shop.Order"), { messageFormat: "json" });
}

/** Creates a view of the fields that `callModel` added. A decoder cannot return bools, so they are cast to int32. */
function viewOf(query: Expression, { outputs }: ModelBindings): Promise<DataView> {
  let expression = query;
  const fields = Object.entries(outputs).map(([name, { as, dtype }]) => {
    if (dtype !== "bool") return [name, as] as const;
    expression = expression.mapFieldValues(`item.${as}`, valueFunctions.cast("int32"), {
      as: `${as}_number`,
    });
    return [name, `${as}_number`] as const;
  });
  const outputOf = (field: string): DataViewOutput => ({ path: `item.${field}`, view: "ragged" });
  return createDataView(expression, {
    outputs: Object.fromEntries(fields.map(([name, field]) => [name, outputOf(field)])),
  });
}

/** Compares the values of every output, but not the row splits. */
function assertComputed(
  view: AnyDataView,
  records: readonly Uint8Array[],
  expected: Readonly<Record<string, PlainTensor>>,
): void {
  const { tensors } = createRecordDecoder(view).decode(records);
  assertSame(Object.keys(expected).sort(), Object.keys(tensors).sort());
  for (const [name, { values }] of Object.entries(expected)) {
    assertSame(
      values.map((value) => (typeof value === "boolean" ? Number(value) : value)),
      plainValues(tensors[name]!),
    );
  }
}

/** Throws unless the model is rejected as malformed, with an error message that contains `problem`. */
async function assertRejected(result: Promise<unknown>, problem: string): Promise<void> {
  const error: unknown = await result.then(
    () => new Error("the model must be rejected, but it was loaded"),
    (cause: unknown) => cause,
  );
  if (isTfxioError(error, "malformed-payload") && error.message.includes(problem)) return;
  throw error;
}
