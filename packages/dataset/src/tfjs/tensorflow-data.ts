/** @ts-ignore: an optional peer. Without it the compiler takes its types for `any`. */
import type { TensorContainer as Container } from "@tensorflow/tfjs-core";
/** @ts-ignore: as above. */
import type * as tfData from "@tensorflow/tfjs-data";

// The only file that names the types of tfjs-data, so that declarations compile where it is not installed.

/** The parts of a tfjs-data dataset. */
export type TensorContainer = Container;

/** A dataset of tfjs-data. */
export type TfDataset = tfData.Dataset<TensorContainer>;

/** The exports of tfjs-data. */
export type TfDataModule = typeof tfData;
