// What an application's compiler sees, with and without TensorFlow.js.
// @boundaries-ignore: the application that runs this installs it.
import { fromItems, type HostDense, openTfxio, type Tensor } from "tfxio";

/** Host columns keep their types where those of TensorFlow.js are missing. */
export async function firstColumn(file: Blob): Promise<readonly number[] | undefined> {
  const data = await openTfxio(file, { inferSchema: "full" });
  for await (const batch of data.recordBatches({ batchSize: 4 })) {
    const column = data.tensorAdapter().toHost(batch)["scores"];
    return column?.kind === "dense" ? column.shape : undefined;
  }
  return undefined;
}

/** A batch of plain values is a host column, never a tensor. */
export async function firstBatch(): Promise<HostDense | undefined> {
  for await (const { rooms } of fromItems([{ rooms: 1 }, { rooms: 2 }]).batch(2)) return rooms;
  return undefined;
}

/** A tensor is no host column, and no `any`. */
export function shapeOf(tensor: Tensor): number[] {
  // @ts-expect-error: tensors have no row splits.
  if (tensor.nestedRowSplits !== undefined) return [];
  return tensor.shape;
}
