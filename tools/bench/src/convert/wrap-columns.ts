import { createExampleDecoder } from "@tfxio/arrow-encoding";
import { type ExampleKernel, FeatureKind, type Kernels, typescriptKernels } from "@tfxio/wire/kernels";
import { schemaOf } from "../decode/our-subjects.js";
import { batchRows } from "../decode/subject.js";
import { criteo } from "../sets/criteo.js";

/** Number of columns of the batch that {@link createWrapping} wraps. */
export const numWrappedColumns: number = criteo.columns.length;

/**
 * Creates a function that wraps finished buffers in a RecordBatch with the columns of the criteo set and 4096 rows without
 * values. It uses our decoder with a kernel that always returns the same batch, so it spends time only on the wrapping.
 */
export function createWrapping(): () => void {
  const kernels: Kernels = { ...typescriptKernels, exampleDecoder: replayingKernel };
  const decoder = createExampleDecoder({ schema: schemaOf(criteo.columns), kernels });
  return () => decoder.finish();
}

const replayingKernel: Kernels["exampleDecoder"] = (plan) => {
  const kernel = typescriptKernels.exampleDecoder(plan);
  const columns = (plan.columns ?? []).map(({ name, kind }) => ({
    name,
    kind,
    nullCount: 0,
    offsets: new Int32Array(batchRows + 1),
    values: emptyValues(kind),
    valueOffsets: kind === FeatureKind.bytes ? new Int32Array(1) : undefined,
  }));
  const batch = { numRows: batchRows, columns, numSkipped: 0 };
  return Object.assign(Object.create(kernel) as ExampleKernel, { finish: () => batch });
};

function emptyValues(kind: FeatureKind): Float32Array | BigInt64Array | Uint8Array {
  if (kind === FeatureKind.float) return new Float32Array(0);
  return kind === FeatureKind.int64 ? new BigInt64Array(0) : new Uint8Array(0);
}
