import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { typescriptKernels } from "../../src/kernels/index.js";
import { chooseKernels } from "../../src/kernels/select-kernels.js";
import { createWasmKernels } from "../../src/kernels/wasm/wasm-kernels.js";

const scope = globalThis as unknown as { WebAssembly: { Module: unknown } | undefined };
const { WebAssembly } = scope;
afterEach(() => {
  scope.WebAssembly = WebAssembly;
  delete process.env["TFXIO_KERNELS"];
});

/** Returns a new copy of the module, as in a program that has not requested kernels yet. */
async function unasked(): Promise<typeof import("../../src/kernels/index.js")> {
  let fresh: typeof import("../../src/kernels/index.js") | undefined;
  await jest.isolateModulesAsync(async () => {
    fresh = await import("../../src/kernels/index.js");
  });
  return fresh as NonNullable<typeof fresh>;
}

describe("kernels", () => {
  test.each([
    [undefined, { name: "wasm", reason: "WebAssembly runs here" }],
    ["typescript", { name: "typescript", reason: "TFXIO_KERNELS=typescript" }],
  ])(
    "are chosen at the first call and then kept, and kernelInfo reports the reason (TFXIO_KERNELS: %s)",
    async (wanted, info) => {
      const { kernelInfo, kernels } = await unasked();
      delete process.env["TFXIO_KERNELS"];
      if (wanted !== undefined) process.env["TFXIO_KERNELS"] = wanted;
      const first = kernels();
      expect(first.name).toBe(info.name);
      process.env["TFXIO_KERNELS"] = "typescript";
      scope.WebAssembly = undefined;
      expect(kernels()).toBe(first);
      expect(kernelInfo()).toEqual(info);
    },
  );

  test("run in WebAssembly if it is available", () => {
    const choice = chooseKernels(undefined, createWasmKernels);
    expect([choice.kernels.name, choice.reason]).toEqual(["wasm", "WebAssembly runs here"]);
  });

  test("obey TFXIO_KERNELS=typescript", () => {
    const choice = chooseKernels("typescript", createWasmKernels);
    expect(choice).toEqual({ kernels: typescriptKernels, reason: "TFXIO_KERNELS=typescript" });
  });

  test("run in TypeScript if WebAssembly is unavailable", () => {
    scope.WebAssembly = undefined;
    const choice = chooseKernels(undefined, createWasmKernels);
    expect(choice.kernels).toBe(typescriptKernels);
    expect(choice.reason).toBe("WebAssembly does not run here: this runtime has no WebAssembly");
  });

  test("run in TypeScript if a page forbids compilation, and report the reason", () => {
    function Module(): never {
      throw new Error("Refused to compile or instantiate WebAssembly module");
    }
    scope.WebAssembly = { ...WebAssembly, Module };
    const choice = chooseKernels(undefined, createWasmKernels);
    expect(choice.kernels).toBe(typescriptKernels);
    expect(choice.reason).toMatch(/Refused to compile/);
  });

  test("run in TypeScript if there is no memory for an instance", () => {
    function Instance(): never {
      throw new RangeError("Out of memory");
    }
    scope.WebAssembly = { Module: WebAssembly?.Module, Instance } as never;
    expect(chooseKernels(undefined, createWasmKernels).kernels).toBe(typescriptKernels);
  });
});
