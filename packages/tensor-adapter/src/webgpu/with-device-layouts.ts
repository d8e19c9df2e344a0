import { assertArgument } from "@tfxio/wire/checks";
import { aTensorFactory } from "../argument-rules.js";
import { DEVICE_LAYOUTS, type DeviceLayouts } from "../tensors/device-layouts.js";
import { PACKED_LAYOUT } from "../tensors/packed-layout.js";
import type { TensorFactory } from "../tensors/tensor-factory.js";
import { denseOfRagged } from "./dense-of-ragged.js";
import { joinedOnDevice, slicedOnDevice, takenOnDevice } from "./device-elements.js";
import { deviceOf } from "./gpu-device.js";
import { packedLayout } from "./packed-layout.js";
import { deviceIndices } from "./ragged-indices.js";

const layouts: DeviceLayouts = {
  hasDevice: (tf) => deviceOf(tf) !== undefined,
  dense: denseOfRagged,
  indices: (tf, rowSplits, shape) => deviceIndices({ tf }, rowSplits, shape),
  taken: takenOnDevice,
  sliced: slicedOnDevice,
  joined: joinedOnDevice,
};

/**
 * The same TensorFlow.js, which tells adapters and tensors to use the kernels of this package on WebGPU: `toTensors` lays
 * large tensors out there, and operations on ragged and sparse tensors move int32 bit by bit. Pass it wherever an option is
 * called `tf`. On other backends it changes nothing. `loadBackend` gives such a `tf` by itself.
 * @throws {ArgumentError} `invalid-argument` for what is not TensorFlow.js.
 */
export function withDeviceLayouts<Tf extends TensorFactory>(tf: Tf): Tf {
  assertArgument("tf", tf, aTensorFactory);
  return { ...tf, [DEVICE_LAYOUTS]: layouts, [PACKED_LAYOUT]: packedLayout };
}
