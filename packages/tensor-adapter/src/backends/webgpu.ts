import type { KernelBackend } from "../tensors/tensorflow.js";
import type { TensorFactory } from "../tensors/tensor-factory.js";
import { withDeviceLayouts } from "../webgpu/with-device-layouts.js";
import { BackendMissError, missOf } from "./attempt.js";
import {
  type BackendRegistry,
  type Candidate,
  type ImportModule,
  isNode,
  type Started,
} from "./candidate.js";

const packageName = "@tensorflow/tfjs-backend-webgpu";

/** The part of a WebGPU adapter that is used here. */
interface Adapter {
  readonly info: { readonly vendor: string; readonly architecture: string; readonly description: string };
  readonly limits: Readonly<Record<string, number>>;
  readonly features: ReadonlySet<string>;
  requestDevice(descriptor: object): Promise<unknown>;
}

interface Gpu {
  requestAdapter(options?: object): Promise<Adapter | null>;
}

/**
 * WebGPU. In Node it comes from the package `webgpu` (Dawn), put where tfjs looks for it, `navigator.gpu`; `release()`
 * takes both away. In Node only `await tensor.data()` reads a tensor: `dataSync()` needs a canvas.
 */
export const webgpuCandidate: Candidate = {
  name: "webgpu",
  packageName,
  backendName: "webgpu",
  start: async ({ tf, importModule }): Promise<Started> => {
    const wasRegistered = isRegistered(tf);
    const provided = await provideGpu(importModule);
    try {
      const gpu = currentGpu() as Gpu;
      const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
      if (adapter === null)
        throw new BackendMissError("no-adapter", "WebGPU is there, and has no usable device");
      const module = (await importModule(packageName)) as Readonly<Record<string, unknown>>;
      // The package registers itself only if navigator.gpu is there when it is first loaded, and only once.
      if (!isRegistered(tf)) registerBackend(tf, gpu, module);
      if (!(await tf.setBackend("webgpu"))) {
        throw new BackendMissError("failed", "it loaded, and TensorFlow.js could not set its backend");
      }
      await firstWorkDone(tf);
      const { vendor, architecture, description } = adapter.info;
      const detail =
        [vendor, architecture, description].filter(Boolean).join(", ") || "a device without a name";
      // Whoever gives less than a whole TensorFlow.js gets that back.
      const withLayouts = "tensor" in tf ? withDeviceLayouts(tf as BackendRegistry & TensorFactory) : tf;
      return provided === undefined
        ? { module, detail, tf: withLayouts }
        : {
            module,
            detail,
            tf: withLayouts,
            release: () => {
              if (isRegistered(tf)) tf.removeBackend("webgpu");
              provided.release();
            },
          };
    } catch (error) {
      if ((provided !== undefined || !wasRegistered) && isRegistered(tf)) tf.removeBackend("webgpu");
      provided?.release();
      throw error;
    }
  },
};

function isRegistered(tf: BackendRegistry): boolean {
  // Typed as a function always; null when there is none.
  return Boolean(tf.findBackendFactory("webgpu"));
}

/** Shows that the device works. A Dawn device that is let go before it was ever idle can end the process (seen on Node 24). */
async function firstWorkDone(tf: BackendRegistry): Promise<void> {
  const { device } = tf.backend() as unknown as {
    readonly device: { readonly queue: { onSubmittedWorkDone(): Promise<void> } };
  };
  await device.queue.onSubmittedWorkDone();
}

function currentGpu(): unknown {
  return (globalThis as { navigator?: { readonly gpu?: unknown } }).navigator?.gpu;
}

/** Makes sure of `navigator.gpu`. Gives how to take it away again, or undefined when the runtime has it itself. */
async function provideGpu(importModule: ImportModule): Promise<{ release(): void } | undefined> {
  if (currentGpu() !== undefined) return undefined;
  if (!isNode()) throw new BackendMissError("wrong-runtime", "this browser has no WebGPU");
  let dawn: { create(flags: readonly string[]): Gpu; readonly globals: object };
  try {
    dawn = (await importModule("webgpu")) as typeof dawn;
  } catch (error) {
    const { reason, message, cause } = missOf(error, "webgpu");
    throw new BackendMissError(reason, `package webgpu (WebGPU for Node): ${message}`, cause);
  }
  const added = Object.entries(dawn.globals).filter(([name]) => !(name in globalThis));
  for (const [name, value] of added) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  // Node 20 has no navigator; later versions have a getter that cannot be assigned to.
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const navigator: object = Object.create((globalThis as { navigator?: object }).navigator ?? null, {
    gpu: { value: dawn.create([]), enumerable: true },
    userAgent: { value: "node", enumerable: true },
  });
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true, writable: true });
  return {
    release: () => {
      for (const [name] of added) delete (globalThis as Record<string, unknown>)[name];
      if (before === undefined) delete (globalThis as { navigator?: object }).navigator;
      else Object.defineProperty(globalThis, "navigator", before);
    },
  };
}

const limitNames = [
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupSizeX",
  "maxComputeInvocationsPerWorkgroup",
];

/** What the package does as it loads, for when it was loaded too early or has been removed. */
function registerBackend(tf: BackendRegistry, gpu: Gpu, module: Readonly<Record<string, unknown>>): void {
  const Backend = module["WebGPUBackend"] as new (device: unknown, info: unknown) => KernelBackend;
  tf.registerBackend("webgpu", async () => {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter === null) throw new BackendMissError("no-adapter", "WebGPU has lost its device");
    const device = await adapter.requestDevice({
      requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [],
      requiredLimits: Object.fromEntries(limitNames.map((name) => [name, adapter.limits[name]])),
    });
    return new Backend(device, adapter.info);
  });
}
