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
 * Returns a copy of `tf` with the WebGPU kernels of this package. On WebGPU, `toTensors` then builds large tensors on the device,
 * and operations on ragged and sparse tensors keep int32 values exact. Without the kernels, TensorFlow.js would round those above
 * 2^24. Pass the copy as the option `tf` of any function. On other backends it works like the original. The `tf` of `loadBackend`
 * on WebGPU already has the kernels.
 * @throws {ArgumentError} `invalid-argument` unless `tf` is TensorFlow.js.
 */
export function withDeviceLayouts<Tf extends TensorFactory>(tf: Tf): Tf {
  assertArgument("tf", tf, aTensorFactory);
  return { ...tf, [DEVICE_LAYOUTS]: layouts, [PACKED_LAYOUT]: packedLayout };
}
