import { afterEach, describe, expect, test } from "@jest/globals";
import { kernelInfo, kernels, typescriptKernels } from "../../src/kernels/index.js";
import { chooseKernels } from "../../src/kernels/select-kernels.js";
import { createWasmKernels } from "../../src/kernels/wasm/wasm-kernels.js";

const scope = globalThis as unknown as { WebAssembly: { Module: unknown } | undefined };
const { WebAssembly } = scope;
afterEach(() => {
  scope.WebAssembly = WebAssembly;
});

describe("kernels", () => {
  test("are the same at every call, and say why", () => {
    expect(kernels()).toBe(kernels());
    expect(kernelInfo()).toEqual({ name: kernels().name, reason: expect.any(String) });
  });

  test("are in WebAssembly where it runs", () => {
    const choice = chooseKernels(undefined, createWasmKernels);
    expect([choice.kernels.name, choice.reason]).toEqual(["wasm", "WebAssembly runs here"]);
  });

  test("obey TFXIO_KERNELS", () => {
    const choice = chooseKernels("typescript", createWasmKernels);
    expect(choice).toEqual({ kernels: typescriptKernels, reason: "TFXIO_KERNELS=typescript" });
  });

  test("are in TypeScript without WebAssembly", () => {
    scope.WebAssembly = undefined;
    const choice = chooseKernels(undefined, createWasmKernels);
    expect(choice.kernels).toBe(typescriptKernels);
    expect(choice.reason).toBe("WebAssembly does not run here: there is no WebAssembly");
  });

  test("are in TypeScript where a page forbids to compile, and say so", () => {
    function Module(): never {
      throw new Error("Refused to compile or instantiate WebAssembly module");
    }
    scope.WebAssembly = { ...WebAssembly, Module };
    const choice = chooseKernels(undefined, createWasmKernels);
    expect(choice.kernels).toBe(typescriptKernels);
    expect(choice.reason).toMatch(/Refused to compile/);
  });

  test("are in TypeScript where memory for an instance is refused", () => {
    function Instance(): never {
      throw new RangeError("Out of memory");
    }
    scope.WebAssembly = { Module: WebAssembly?.Module, Instance } as never;
    expect(chooseKernels(undefined, createWasmKernels).kernels).toBe(typescriptKernels);
  });
});
