import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { loadLayersModel } from "@tensorflow/tfjs-layers";
import type { ModelRuntime } from "@tfxio/struct2tensor";

/** The runtime that decoders are created with elsewhere. */
export const models: ModelRuntime = { tf, loadLayersModel };
