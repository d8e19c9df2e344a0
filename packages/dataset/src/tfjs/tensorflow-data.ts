/** @ts-ignore: an optional peer. Without it, the compiler treats its types as `any`. */
import type { TensorContainer as Container } from "@tensorflow/tfjs-core";
/** @ts-ignore: as above. */
import type * as tfData from "@tensorflow/tfjs-data";

// Only this file imports types of tfjs-data, so that declarations compile even if tfjs-data is not installed.

/** The type of tfjs-data elements. */
export type TensorContainer = Container;

/** A dataset of tfjs-data. */
export type TfDataset = tfData.Dataset<TensorContainer>;

/** The exports of tfjs-data. */
export type TfDataModule = typeof tfData;
