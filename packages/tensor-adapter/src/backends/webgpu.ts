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
// The priority with which the package registers its backend.
const PRIORITY = 3;

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
 * WebGPU. In Node, the package `webgpu` (Dawn) provides the API: `start` sets `navigator.gpu`, where tfjs looks for the API, and
 * `release()` removes both the backend and `navigator.gpu`. In Node, read tensors with `await tensor.data()`, because
 * `dataSync()` needs a canvas.
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
        throw new BackendMissError("no-adapter", "WebGPU is available but has no usable device");
      const module = (await importModule(packageName)) as Readonly<Record<string, unknown>>;
      // The package registers its backend only on the first import, and only if navigator.gpu exists by then.
      if (!isRegistered(tf)) registerBackend(tf, gpu, module);
      if (!(await tf.setBackend("webgpu"))) {
        throw new BackendMissError("failed", "it loaded, but TensorFlow.js could not set its backend");
      }
      await firstWorkDone(tf);
      const { vendor, architecture, description } = adapter.info;
      const detail = [vendor, architecture, description].filter(Boolean).join(", ") || "an unnamed device";
      // Device layouts need `tf.tensor`. A `tf` without it is returned unchanged.
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
  // `findBackendFactory` returns null for an unregistered backend, although its type says otherwise.
  return Boolean(tf.findBackendFactory("webgpu"));
}

/**
 * Waits until the device has done its first work, which shows that it is usable. The wait also prevents a crash: releasing a
 * Dawn device that has never been idle can crash the process (seen on Node 24).
 */
async function firstWorkDone(tf: BackendRegistry): Promise<void> {
  const { device } = tf.backend() as unknown as {
    readonly device: { readonly queue: { onSubmittedWorkDone(): Promise<void> } };
  };
  await device.queue.onSubmittedWorkDone();
}

function currentGpu(): unknown {
  return (globalThis as { navigator?: { readonly gpu?: unknown } }).navigator?.gpu;
}

/** Ensures that `navigator.gpu` exists. Returns an object whose `release` removes it, or undefined if the runtime has its own. */
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
  // Node 20 has no navigator; later versions have a getter without a setter.
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

/** Device limits that tfjs raises to the adapter's maximum. */
const limitNames = [
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBufferBindingSize",
  "maxBufferSize",
  "maxComputeWorkgroupSizeX",
  "maxComputeInvocationsPerWorkgroup",
];

/**
 * Registers the backend in the same way as the package does when it is imported. This is needed if the import came before
 * `navigator.gpu` existed, or if the backend has been removed since.
 */
function registerBackend(tf: BackendRegistry, gpu: Gpu, module: Readonly<Record<string, unknown>>): void {
  const Backend = module["WebGPUBackend"] as new (device: unknown, info: unknown) => KernelBackend;
  const factory = async (): Promise<KernelBackend> => {
    const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter === null) throw new BackendMissError("no-adapter", "WebGPU has lost its device");
    const device = await adapter.requestDevice({
      requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [],
      requiredLimits: Object.fromEntries(limitNames.map((name) => [name, adapter.limits[name]])),
    });
    return new Backend(device, adapter.info);
  };
  tf.registerBackend("webgpu", factory, PRIORITY);
}
