import "@tensorflow/tfjs-backend-cpu";
import * as tf from "@tensorflow/tfjs-core";
import { loadLayersModel } from "@tensorflow/tfjs-layers";
import type { ModelRuntime } from "@tfxio/struct2tensor";

/** The runtime that a decoder imports if its description names this module. */
export const models: ModelRuntime = { tf, loadLayersModel };
