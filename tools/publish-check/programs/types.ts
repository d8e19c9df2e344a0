// One application compiles this module with TensorFlow.js, and another without, to check the published types.
// @boundaries-ignore: the application that compiles this module installs tfxio.
import { fromItems, type HostDense, openTfxio, type Tensor } from "tfxio";

/** Host columns keep their types even if TensorFlow.js is not installed. */
export async function firstColumn(file: Blob): Promise<readonly number[] | undefined> {
  const data = await openTfxio(file, { inferSchema: "full" });
  for await (const batch of data.recordBatches({ batchSize: 4 })) {
    const column = data.tensorAdapter().toHost(batch)["scores"];
    return column?.kind === "dense" ? column.shape : undefined;
  }
  return undefined;
}

/** The columns of a batch of plain values are host columns, never tensors. */
export async function firstBatch(): Promise<HostDense | undefined> {
  for await (const { rooms } of fromItems([{ rooms: 1 }, { rooms: 2 }]).batch(2)) return rooms;
  return undefined;
}

/** A tensor is neither a host column nor `any`. */
export function shapeOf(tensor: Tensor): number[] {
  // @ts-expect-error: tensors have no row splits.
  if (tensor.nestedRowSplits !== undefined) return [];
  return tensor.shape;
}
