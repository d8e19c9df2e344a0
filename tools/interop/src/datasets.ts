import type * as tfjs from "@tensorflow/tfjs-core";
import { openTfxio, type Tfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import type { AnyTensor, HostColumn } from "@tfxio/tensor-adapter";
import { encodeTfRecords, isTfxioError } from "@tfxio/wire";
import { assertSame } from "./assert-same.js";
import { encodeRows, exampleRows } from "./example-rows.js";
import type { Reporter } from "./interop.js";

const schema = parseSchemaText(`
  feature { name: "clicks" type: INT }
  feature { name: "pair" type: FLOAT }
  feature { name: "price" type: FLOAT }
  feature { name: "title" type: BYTES }
  tensor_representation_group {
    key: ""
    value {
      tensor_representation { key: "clicks" value { ragged_tensor { feature_path { step: "clicks" } } } }
      tensor_representation {
        key: "pair"
        value {
          dense_tensor { column_name: "pair" shape { dim { size: 2 } } default_value { float_value: 0.5 } }
        }
      }
      tensor_representation { key: "price" value { varlen_sparse_tensor { column_name: "price" } } }
      tensor_representation { key: "title" value { varlen_sparse_tensor { column_name: "title" } } }
    }
  }
`);

/** The conversion of the feature `clicks`. It is necessary because some of the values do not fit into int32. */
const int64 = { clicks: "float32-lossy" } as const;
const order = { batchSize: 32, shuffle: false } as const;

/** Checks that datasets yield the same values on the current backend as on the host, and that no pass leaks tensors. */
export async function checkDatasets(tf: typeof tfjs, report: Reporter): Promise<void> {
  const tfxio = await openTfxio(await encodeTfRecords(encodeRows(exampleRows())), { schema });
  const check = (what: string, run: (tfxio: Tfxio) => Promise<void>): Promise<void> =>
    report.check(`datasets: ${what}`, async () => {
      const { numTensors, numDataBuffers } = tf.memory();
      await run(tfxio);
      const after = tf.memory();
      assertSame({ numTensors, numDataBuffers }, pick(after));
    });

  await check("tensors hold the same values as host columns", async () => {
    const expected: unknown[] = [];
    for await (const columns of tfxio.dataset(order)) expected.push(mapped(columns, ofHost));
    const found: unknown[] = [];
    for await (const tensors of tfxio.dataset({ ...order, tf, int64 })) {
      const element: Record<string, unknown> = {};
      for (const [name, tensor] of Object.entries(tensors as Readonly<Record<string, AnyTensor>>)) {
        element[name] = await ofTensor(tensor);
        tensor.dispose();
      }
      found.push(element);
    }
    assertSame([10, expected], [found.length, found]);
  });
  await check("a pass that ends early leaks nothing", async () => {
    for await (const tensors of tfxio.dataset({ ...order, tf, int64 })) {
      for (const tensor of Object.values(tensors as Readonly<Record<string, AnyTensor>>)) tensor.dispose();
      break;
    }
  });
  await check("a failed pass leaks nothing", async () => {
    let reached = false;
    try {
      for await (const tensors of tfxio.dataset({ ...order, tf })) reached = tensors !== undefined;
    } catch (error) {
      if (!reached && isTfxioError(error, "out-of-range") && error.tensorName === "clicks") return;
      throw error;
    }
    throw new Error("values that do not fit into int32 must be rejected, but they became tensors");
  });
}

function pick({ numTensors, numDataBuffers }: tfjs.MemoryInfo): unknown {
  return { numTensors, numDataBuffers };
}

function mapped(element: unknown, plain: (column: HostColumn) => unknown): Record<string, unknown> {
  const columns = Object.entries(element as Readonly<Record<string, HostColumn>>);
  return Object.fromEntries(columns.map(([name, column]) => [name, plain(column)]));
}

/** Converts a host column to plain values. Rounds numbers to float32, because tensors may hold int64 values as float32. */
function ofHost({ values }: HostColumn): unknown[] {
  if (!ArrayBuffer.isView(values)) return values.toArray().map((bytes) => [...bytes]);
  return Array.from(values as ArrayLike<number | bigint>, (value) => Math.fround(Number(value)));
}

/** Reads the values of a tensor as plain values. */
async function ofTensor(tensor: AnyTensor): Promise<unknown[]> {
  const flat = "values" in tensor ? tensor.values : tensor;
  if (flat.dtype === "string") return ((await flat.bytes()) as Uint8Array[]).map((bytes) => [...bytes]);
  return [...(await flat.data())];
}
