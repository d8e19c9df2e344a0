/** @ts-ignore: an optional peer. If it is not installed, the compiler treats its types as `any`. */
import type { TensorContainer as Container } from "@tensorflow/tfjs-core";
/** @ts-ignore: as above. */
import type * as tfData from "@tensorflow/tfjs-data";

// All other files import these types from here, so that their declarations compile even if tfjs-data is not installed.

/** The type of tfjs-data elements. */
export type TensorContainer = Container;

/** A dataset of tfjs-data. */
export type TfDataset = tfData.Dataset<TensorContainer>;

/** The exports of tfjs-data. */
export type TfDataModule = typeof tfData;
