import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { openTfxio } from "@tfxio/io";
import { parseSchemaText } from "@tfxio/schema";
import { RaggedTensor, SparseTensor } from "@tfxio/tensor-adapter";

/** The number of rows and the tensors of a decoded batch, as JSON. */
export interface DecodedPage {
  readonly backend: string;
  readonly numRows: number;
  readonly y: { readonly values: readonly number[]; readonly rowSplits: readonly number[] };
  readonly z: {
    readonly indices: readonly number[];
    readonly values: readonly number[];
    readonly denseShape: readonly number[];
  };
}

const schema = parseSchemaText(`
  feature { name: "x" type: BYTES }
  feature { name: "y" type: FLOAT }
  feature { name: "z" type: INT }
  tensor_representation_group {
    key: ""
    value {
      tensor_representation { key: "y" value { ragged_tensor { feature_path { step: "y" } } } }
      tensor_representation { key: "z" value { varlen_sparse_tensor { column_name: "z" } } }
    }
  }
`);

/** The result of reading a gzip TFRecord file, as JSON. `numRows` is the number of rows before the error, if any. */
export interface GzipPage {
  readonly numRows: number;
  /** Error code; absent if every record was read. */
  readonly code?: string | undefined;
}

/** Counts the records of a base64-encoded gzip TFRecord file up to the first error. Runs in a browser. */
export async function countRecords(base64: string): Promise<GzipPage> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const tfxio = await openTfxio(new Blob([bytes]), {
    format: "tfrecord",
    batchBytes: 1,
    formatOptions: { compression: "gzip" },
  });
  let numRows = 0;
  try {
    for await (const batch of tfxio.recordBatches()) numRows += batch.numRows;
    return { numRows };
  } catch (error) {
    return { numRows, code: (error as { readonly code: string }).code };
  }
}

async function numbers(tensor: tf.Tensor): Promise<number[]> {
  return [...(await tensor.data<"float32">())];
}

/** Decodes the first batch of a base64-encoded TFRecord file to tensors on the cpu backend. Runs in a browser. */
export async function decodeBlob(base64: string): Promise<DecodedPage> {
  await tf.setBackend("cpu");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const tfxio = await openTfxio(new Blob([bytes]), { schema, format: "tfrecord" });
  for await (const batch of tfxio.recordBatches()) {
    const { y, z } = tfxio.tensorAdapter().toTensors(batch, { tf });
    if (!(y instanceof RaggedTensor) || !(z instanceof SparseTensor))
      throw new TypeError("expected a ragged tensor y and a sparse tensor z");
    return {
      backend: tf.getBackend(),
      numRows: batch.numRows,
      y: { values: await numbers(y.values), rowSplits: await numbers(y.nestedRowSplits[0] as tf.Tensor) },
      z: {
        indices: await numbers(z.indices),
        values: await numbers(z.values),
        denseShape: [...z.denseShape],
      },
    };
  }
  throw new TypeError("the Blob has no batches");
}
