import path from "node:path";
import type * as tfjs from "@tensorflow/tfjs-core";
import { vectorsFolder } from "@tfxio-tools/conformance/main";
import { runCases } from "@tfxio-tools/conformance/run";
import { buildRecordBatch, type RecordBatchJson } from "@tfxio-tools/conformance/values/arrow-array";
import { representationsOf } from "@tfxio-tools/conformance/values/proto";
import { bytesJson, bytesOf, numberOf } from "@tfxio-tools/conformance/values/scalar";
import type { TensorJson } from "@tfxio-tools/conformance/values/tensor";
import { readCases, type VectorCase } from "@tfxio-tools/conformance/vector-file";
import { type AnyTensor, TensorAdapter } from "@tfxio/tensor-adapter";
import { isTfxioError } from "@tfxio/wire";
import { assertSame } from "./assert-same.js";
import type { Reporter } from "./interop.js";

type Json = Readonly<Record<string, unknown>>;

/** Runs every tensor_adapter vector; where one expects tensors, they are made on the current backend and read back. */
export async function checkAdapterVectors(tf: typeof tfjs, report: Reporter): Promise<void> {
  const cases = readCases([path.join(vectorsFolder, "tfx-bsl", "tensor_adapter.json")]);
  for await (const { vector, outcome } of runCases(cases)) {
    const what = `tensor_adapter/${vector.name}`;
    if (outcome.status === "skipped") report.skipped(what, outcome.reason);
    else if (outcome.status === "failed") report.failed(what, outcome.detail);
    else await report.check(what, () => checkTensors(vector, tf));
  }
}

async function checkTensors({ op, body }: VectorCase, tf: typeof tfjs): Promise<void> {
  const { input, expect } = body as { readonly input: Json; readonly expect: Json };
  const wanted = (body["expect_if_supported"] ?? expect) as Json;
  if (op !== "to_tensors" || wanted["error"] !== undefined) return;
  const batch = buildRecordBatch(input["record_batch"] as RecordBatchJson);
  const adapter = new TensorAdapter({
    arrowSchema: batch.schema,
    tensorRepresentations: representationsOf(input["tensor_representations"]),
  });
  const before = tf.memory().numTensors;
  for (const [name, tensor] of Object.entries(wanted["tensors"] as Readonly<Record<string, TensorJson>>)) {
    const values = tensor.kind === "ragged" ? tensor.flat_values.values : tensor.values;
    if (!values.every((value) => fitsTensor(tensor.dtype, value))) {
      assertOutOfRange(() => adapter.toTensors(batch, { tf, names: [name] }), name);
      continue;
    }
    const made = adapter.toTensors(batch, { tf, names: [name] })[name] as AnyTensor;
    const found = await plainTensor(made);
    made.dispose();
    assertSame({ [name]: expectedOf(tensor) }, { [name]: found });
  }
  const leaked = tf.memory().numTensors - before;
  if (leaked !== 0) throw new Error(`${leaked} tensors are left over`);
}

/** Whether a value survives the default policies: int32 for wide integers, float32 for float64, both exact. */
function fitsTensor(dtype: string, value: unknown): boolean {
  if (dtype === "float64") return Object.is(Math.fround(numberOf(value)), numberOf(value));
  return !/^u?int/.test(dtype) || Number(value) === (Number(value) | 0);
}

function assertOutOfRange(run: () => unknown, name: string): void {
  try {
    run();
  } catch (error) {
    if (isTfxioError(error, "out-of-range") && error.tensorName === name) return;
    throw error;
  }
  throw new Error(`${name}: values that do not fit made a tensor`);
}

function tensorValues(dtype: string, values: readonly unknown[]): unknown[] {
  if (dtype === "string") return values.map((value) => bytesJson(bytesOf(value)));
  return values.map(dtype.startsWith("float") ? (value) => Math.fround(numberOf(value)) : Number);
}

/** An expectation as {@link plainTensor} writes tensors. */
function expectedOf(json: TensorJson): unknown {
  const dtype = json.dtype === "string" ? "string" : json.dtype.startsWith("float") ? "float32" : "int32";
  switch (json.kind) {
    case "dense":
      return { dtype, shape: json.shape, values: tensorValues(json.dtype, json.values) };
    case "sparse": {
      const { indices, dense_shape: denseShape } = json;
      const shape = [indices.length, denseShape.length];
      return {
        indices: { dtype: "int32", shape, values: indices.flat() },
        values: { dtype, shape: [indices.length], values: tensorValues(json.dtype, json.values) },
        denseShape,
      };
    }
    case "ragged":
      return {
        values: {
          dtype,
          shape: json.flat_values.shape,
          values: tensorValues(json.dtype, json.flat_values.values),
        },
        rowSplits: json.nested_row_splits.map((splits) => ({
          dtype: "int32",
          shape: [splits.length],
          values: splits,
        })),
      };
  }
}

async function plainTensor(tensor: AnyTensor): Promise<unknown> {
  if ("denseShape" in tensor) {
    const { indices, values, denseShape } = tensor;
    return { indices: await plain(indices), values: await plain(values), denseShape: [...denseShape] };
  }
  if ("nestedRowSplits" in tensor) {
    const rowSplits: unknown[] = [];
    for (const splits of tensor.nestedRowSplits) rowSplits.push(await plain(splits));
    return { values: await plain(tensor.values), rowSplits };
  }
  return plain(tensor);
}

async function plain(tensor: tfjs.Tensor): Promise<unknown> {
  const { dtype, shape } = tensor;
  const values =
    dtype === "string"
      ? ((await tensor.bytes()) as Uint8Array[]).map((bytes) => bytesJson(bytes))
      : [...(await tensor.data())];
  return { dtype, shape: [...shape], values };
}
