/** @ts-ignore: an optional peer. Without it, the compiler treats its types as `any`. */
import type { TensorContainer as Container } from "@tensorflow/tfjs-core";
/** @ts-ignore: as above. */
import type * as tfData from "@tensorflow/tfjs-data";

// The only file that names tfjs-data types, so that declarations compile even when it is not installed.

/** The type of tfjs-data elements. */
export type TensorContainer = Container;

/** A dataset of tfjs-data. */
export type TfDataset = tfData.Dataset<TensorContainer>;

/** The exports of tfjs-data. */
export type TfDataModule = typeof tfData;
