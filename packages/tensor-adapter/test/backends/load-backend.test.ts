import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import * as tf from "@tensorflow/tfjs-core";
import { explainBackends, type ImportModule, loadBackend } from "../../src/backends/index.js";
import { restoreRemovedUtil } from "../../src/backends/native.js";

tf.enableProdMode();

/**
 * Returns an `importModule` that imports from `modules`. If a value is a function, its result is the module; any other value is
 * the module itself. A module that `modules` lacks is not installed.
 */
const importing =
  (modules: Readonly<Record<string, unknown>>): ImportModule =>
  async (specifier) => {
    const module = modules[specifier];
    if (typeof module === "function") return (module as () => unknown)();
    if (module !== undefined) return module;
    throw Object.assign(new Error(`Cannot find package '${specifier}' imported from /app/main.js`), {
      code: "ERR_MODULE_NOT_FOUND",
    });
  };
const throwing = (message: string, code?: string) => (): never => {
  throw Object.assign(new Error(message), code && { code });
};
const cpu = () => import("@tensorflow/tfjs-backend-cpu");

beforeAll(async () => {
  await cpu();
});

const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, "navigator");
afterEach(() => {
  expect(Object.getOwnPropertyDescriptor(globalThis, "navigator")).toEqual(navigatorBefore);
});

describe("loadBackend", () => {
  test("tries backends in the documented order, uses the first that works, and reports why the earlier ones failed", async () => {
    const loaded = await loadBackend({
      tf,
      importModule: importing({ "@tensorflow/tfjs-backend-cpu": cpu }),
    });
    expect(loaded.name).toBe("cpu");
    expect(loaded.backendName).toBe(tf.getBackend());
    expect(loaded.tf).toBe(tf);
    expect(loaded.module["MathBackendCPU"]).toBeDefined();
    expect(loaded.attempts.map(({ name, usable, reason }) => [name, usable, reason])).toEqual([
      ["tfjs-node-gpu", false, "not-installed"],
      ["tfjs-node", false, "not-installed"],
      ["webgpu", false, "not-installed"],
      ["wasm", false, "not-installed"],
      ["cpu", true, undefined],
    ]);
    expect(loaded.attempts[2]?.detail).toBe(
      "package webgpu (WebGPU for Node): not installed (npm install webgpu)",
    );
    loaded.release();
    loaded.release();
  });

  test("imports TensorFlow.js if no tf is given, and loads a wasm backend that works", async () => {
    const loaded = await loadBackend({ prefer: "wasm" });
    expect(loaded.attempts).toEqual([
      expect.objectContaining({ name: "wasm", usable: true, detail: "WebAssembly, tfjs 4.22.0" }),
    ]);
    expect(loaded.tf.getBackend()).toBe("wasm");
    const square = loaded.tf.square(loaded.tf.tensor([3]));
    expect([...(await square.data())]).toEqual([9]);
  });

  test("sets the path of each wasm file only if wasmPaths is given", async () => {
    let files: object | undefined;
    const module = { version_wasm: "0", setWasmPaths: (given: object) => void (files = given) };
    const importModule = importing({ "@tensorflow/tfjs-backend-wasm": module });
    const registry = { ...tf, setBackend: async () => true };
    await loadBackend({ tf: registry, prefer: "wasm", importModule });
    expect(files).toBeUndefined();
    await loadBackend({ tf: registry, prefer: "wasm", wasmPaths: "/static/wasm/", importModule });
    expect(files).toEqual({
      "tfjs-backend-wasm.wasm": "/static/wasm/tfjs-backend-wasm.wasm",
      "tfjs-backend-wasm-simd.wasm": "/static/wasm/tfjs-backend-wasm-simd.wasm",
      "tfjs-backend-wasm-threaded-simd.wasm": "/static/wasm/tfjs-backend-wasm-threaded-simd.wasm",
    });
  });

  test("rejects wasmPaths that are not a string, as explainBackends does", async () => {
    for (const load of [loadBackend, explainBackends]) {
      await expect(load({ tf, wasmPaths: 5 as never })).rejects.toMatchObject({
        code: "invalid-argument",
        argument: "wasmPaths",
      });
    }
  });

  test("gives each of several simultaneous calls its preferred backend, and leaves the last call's backend current", async () => {
    const order = ["cpu", "wasm", "cpu", "wasm"] as const;
    const current: string[] = [];
    const registry = {
      ...tf,
      setBackend: async (name: string) => {
        const isSet = await tf.setBackend(name);
        current.push(tf.getBackend());
        return isSet;
      },
    };
    const loaded = await Promise.all(order.map((prefer) => loadBackend({ prefer, tf: registry })));
    expect(loaded.map(({ name }) => name)).toEqual(order);
    expect(current).toEqual(order);
    expect(tf.getBackend()).toBe("wasm");
    for (const each of loaded) each.release();
  });

  test("succeeds even if a simultaneous call fails", async () => {
    const failing = loadBackend({ tf, importModule: importing({}) });
    const working = loadBackend({ tf, prefer: "cpu" });
    await expect(failing).rejects.toMatchObject({ reason: "no-backend" });
    const loaded = await working;
    expect(loaded.name).toBe("cpu");
    loaded.release();
  });

  test("tries the preferred backends first, and then the remaining backends", async () => {
    const { attempts } = await loadBackend({
      tf,
      prefer: ["wasm", "tfjs-node"],
      importModule: importing({ "@tensorflow/tfjs-backend-cpu": cpu }),
    });
    expect(attempts.map(({ name }) => name)).toEqual(["wasm", "tfjs-node", "tfjs-node-gpu", "webgpu", "cpu"]);
  });

  test("rejects an unknown preferred backend", async () => {
    await expect(loadBackend({ tf, prefer: "cuda" as "cpu" })).rejects.toMatchObject({
      code: "invalid-argument",
      reason: "unknown-backend",
      argument: "prefer",
    });
  });

  // The first four messages come from tfjs-node 4.22, Node's loader and browsers.
  test.each([
    [
      throwing(
        "The Node.js native addon module (tfjs_binding.node) can not be found at path: /app/lib/napi-v8/tfjs_binding.node. \nPlease run command 'npm rebuild @tensorflow/tfjs-node --build-addon-from-source' to rebuild the native addon module.",
      ),
      "addon-missing",
      "installed without its native addon (npm rebuild @tensorflow/tfjs-node --build-addon-from-source)",
    ],
    [
      throwing(
        "libtensorflow.so.2: cannot open shared object file: No such file or directory",
        "ERR_DLOPEN_FAILED",
      ),
      "addon-failed",
      "its native addon cannot be loaded: libtensorflow.so.2: cannot open shared object file: No such file or directory",
    ],
    [
      throwing("Cannot find module '@mapbox/node-pre-gyp'\nRequire stack:\n- /app/x.js", "MODULE_NOT_FOUND"),
      "not-installed",
      "installed, but \"@mapbox/node-pre-gyp\" is missing: Cannot find module '@mapbox/node-pre-gyp' Require stack: - /app/x.js",
    ],
    [
      throwing('Failed to resolve module specifier "@tensorflow/tfjs-node"'),
      "not-installed",
      "not installed (npm install @tensorflow/tfjs-node)",
    ],
    [throwing("out of luck"), "failed", "out of luck"],
    [{}, "failed", "it loaded, but TensorFlow.js could not set its backend"],
  ])("reports why tfjs-node cannot be used (case %#)", async (module, reason, detail) => {
    const { attempts } = await loadBackend({
      tf: { ...tf, setBackend: async (name) => name !== "tensorflow" && tf.setBackend(name) },
      prefer: "tfjs-node",
      importModule: importing({ "@tensorflow/tfjs-node": module, "@tensorflow/tfjs-backend-cpu": cpu }),
    });
    expect(attempts[0]).toEqual({
      name: "tfjs-node",
      packageName: "@tensorflow/tfjs-node",
      usable: false,
      reason,
      detail,
    });
  });

  test("reports every attempt if no backend works, and keeps the current backend", async () => {
    await tf.setBackend("cpu");
    const failing = loadBackend({
      tf,
      importModule: importing({ "@tensorflow/tfjs-backend-cpu": throwing("broken") }),
    });
    await expect(failing).rejects.toMatchObject({
      code: "unsupported",
      reason: "no-backend",
      message:
        "[unsupported] No TensorFlow.js backend can be used. " +
        "tfjs-node-gpu: not installed (npm install @tensorflow/tfjs-node-gpu); " +
        "tfjs-node: not installed (npm install @tensorflow/tfjs-node); " +
        "webgpu: package webgpu (WebGPU for Node): not installed (npm install webgpu); " +
        "wasm: not installed (npm install @tensorflow/tfjs-backend-wasm); " +
        "cpu: broken.",
    });
    expect(tf.getBackend()).toBe("cpu");
  });

  test("reports that TensorFlow.js is not installed", async () => {
    await expect(loadBackend({ importModule: importing({}) })).rejects.toMatchObject({
      code: "unsupported",
      reason: "no-backend",
      message:
        "[unsupported] TensorFlow.js (@tensorflow/tfjs-core) cannot be used: not installed (npm install @tensorflow/tfjs-core).",
    });
  });
});

describe("WebGPU in Node", () => {
  const dawn = (adapter: unknown): object => ({
    create: () => ({ requestAdapter: async () => adapter }),
    globals: { GPUSomething: {} },
  });
  const attempt = async (modules: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { attempts } = await loadBackend({
      tf,
      prefer: ["webgpu", "cpu"],
      importModule: importing({ "@tensorflow/tfjs-backend-cpu": cpu, ...modules }),
    });
    return attempts[0];
  };

  test("is unavailable without an adapter, and leaves no WebGPU globals behind", async () => {
    expect(await attempt({ webgpu: dawn(null) })).toMatchObject({ usable: false, reason: "no-adapter" });
    expect("GPUSomething" in globalThis).toBe(false);
  });

  test("is unavailable without its backend package, and leaves no WebGPU globals behind", async () => {
    expect(await attempt({ webgpu: dawn({}) })).toMatchObject({
      reason: "not-installed",
      detail: "not installed (npm install @tensorflow/tfjs-backend-webgpu)",
    });
    expect("GPUSomething" in globalThis).toBe(false);
  });

  class WebGPUBackend extends tf.KernelBackend {
    readonly device = { queue: { onSubmittedWorkDone: async (): Promise<void> => {} } };
    override dispose(): void {}
  }
  const adapter = {
    info: { vendor: "acme", architecture: "", description: "Painter 2" },
    limits: {},
    features: new Set(),
    requestDevice: async () => ({}),
  };
  const working = {
    tf,
    prefer: "webgpu",
    importModule: importing({ webgpu: dawn(adapter), "@tensorflow/tfjs-backend-webgpu": { WebGPUBackend } }),
  } as const;

  test("stays registered until it is released, and the release restores the previous backend", async () => {
    await tf.setBackend("cpu");
    const loaded = await loadBackend(working);
    expect(loaded.attempts).toEqual([expect.objectContaining({ usable: true, detail: "acme, Painter 2" })]);
    expect(tf.getBackend()).toBe("webgpu");
    expect("GPUSomething" in globalThis).toBe(true);
    loaded.release();
    expect(tf.findBackendFactory("webgpu")).toBeNull();
    expect("GPUSomething" in globalThis).toBe(false);
    expect(tf.getBackend()).toBe("cpu");
  });

  test("is registered with priority 3, above wasm, if its package registers no backend on import", async () => {
    const order: string[] = [];
    const registering = (name: string, _: unknown, priority?: number): boolean => {
      order[priority ?? 1] = name;
      return false;
    };
    const recording = { ...tf, registerBackend: registering } as typeof tf;
    await expect(loadBackend({ ...working, tf: recording })).rejects.toThrow("[unsupported]");
    expect(order).toEqual([undefined, undefined, undefined, "webgpu"]);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])("stays registered after two loads until both are released (order: %d, %d)", async (first, second) => {
    await tf.setBackend("cpu");
    const loads = [await loadBackend(working), await loadBackend(working)];
    loads[first]?.release();
    loads[first]?.release();
    expect(tf.getBackend()).toBe("webgpu");
    expect("GPUSomething" in globalThis).toBe(true);
    loads[second]?.release();
    expect([tf.getBackend(), "GPUSomething" in globalThis]).toEqual(["cpu", false]);
  });

  test("does not change the current backend on release if the program has chosen a different backend", async () => {
    await tf.setBackend("cpu");
    const loaded = await loadBackend(working);
    await tf.setBackend("wasm");
    loaded.release();
    expect(tf.getBackend()).toBe("wasm");
    await tf.setBackend("cpu");
  });
});

describe("native packages", () => {
  /** Creates a registry that can set any backend. "tensorflow" is registered unless `isGPUPackage` is undefined. */
  const registryWith = (isGPUPackage: boolean | undefined) => ({
    ...tf,
    findBackendFactory: (name: string) =>
      name === "tensorflow" && isGPUPackage === undefined ? (null as never) : () => tf.backend(),
    setBackend: async () => true,
    backend: () => ({ isGPUPackage, binding: { TF_Version: "2.9.1" } }) as unknown as tf.KernelBackend,
  });

  test.each([
    ["tfjs-node-gpu", true, "tfjs-node"],
    ["tfjs-node", false, "tfjs-node-gpu"],
  ] as const)(
    "cannot be loaded together: after %s, the other native package is unusable",
    async (loaded, isGPUPackage, other) => {
      const importModule = importing({ "@tensorflow/tfjs-node": {}, "@tensorflow/tfjs-node-gpu": {} });
      const { name, attempts } = await loadBackend({
        tf: registryWith(isGPUPackage),
        prefer: [other, loaded],
        importModule,
      });
      expect(name).toBe(loaded);
      expect(attempts[0]).toMatchObject({
        usable: false,
        reason: "failed",
        detail: `@tensorflow/${loaded} is already loaded, and a process can load only one package with the backend "tensorflow"`,
      });
    },
  );

  test("are patched to encode int64 inputs with sign extension", async () => {
    const internals = { encodeInt32ArrayAsInt64: (values: Int32Array) => values };
    const importModule = importing({
      "@tensorflow/tfjs-node": {},
      "@tensorflow/tfjs-node/dist/int64_tensors.js": { default: internals },
    });
    await loadBackend({ tf: registryWith(undefined), prefer: "tfjs-node", importModule });
    const halves = internals.encodeInt32ArrayAsInt64(Int32Array.of(5, -1, -(2 ** 31)));
    expect(halves).toEqual(Int32Array.of(5, 0, -1, -1, -(2 ** 31), -1));
  });

  test("are not changed if they have no encoder for int64 inputs", async () => {
    const internals = {};
    const importModule = importing({
      "@tensorflow/tfjs-node": {},
      "@tensorflow/tfjs-node/dist/int64_tensors.js": { default: internals },
    });
    const { name } = await loadBackend({ tf: registryWith(undefined), prefer: "tfjs-node", importModule });
    expect([name, internals]).toEqual(["tfjs-node", {}]);
  });
});

test("restoreRemovedUtil adds the missing functions of node:util that tfjs-node calls, and keeps existing ones", () => {
  const util: Record<string, unknown> = { inspect: 1 };
  restoreRemovedUtil(util);
  const { isNullOrUndefined, isArray } = util as Record<string, (value: unknown) => boolean>;
  expect([null, undefined, 0].map((value) => isNullOrUndefined?.(value))).toEqual([true, true, false]);
  expect([[], {}].map((value) => isArray?.(value))).toEqual([true, false]);
  restoreRemovedUtil(util);
  expect(util["isArray"]).toBe(isArray);
});
