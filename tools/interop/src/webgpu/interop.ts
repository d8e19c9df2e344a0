import path from "node:path";
import type { Interop } from "../interop.js";
import { npmFolder } from "../npm-folder.js";
import { runInChild } from "../run-in-child.js";
import { vulkanEnvironment } from "./swiftshader.js";

/** Checks tensors on WebGPU in Node, through Dawn. The device is SwiftShader, unless environment variables choose another. */
export const webgpu: Interop = {
  name: "webgpu",
  about: "runs the tensor adapter's test vectors and our kernels on WebGPU in Node",
  run: async ({ cacheFolder, environment, report }) => {
    const vulkan = await vulkanEnvironment(cacheFolder, environment, report.note);
    const { folder } = await npmFolder(cacheFolder, "npm-webgpu", [
      "@tensorflow/tfjs-core@4.22.0",
      "@tensorflow/tfjs-backend-webgpu@4.22.0",
      "webgpu@0.6.2",
    ]);
    const script = path.join(import.meta.dirname, "child.js");
    await runInChild(script, [folder], { ...environment, ...vulkan }, report);
  },
};
