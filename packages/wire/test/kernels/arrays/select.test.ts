import { afterEach, describe, expect, jest, test } from "@jest/globals";

const scope = globalThis as unknown as { WebAssembly: unknown };
const { WebAssembly } = scope;
afterEach(() => {
  scope.WebAssembly = WebAssembly;
  delete process.env["TFXIO_KERNELS"];
});

/** Returns the name of the implementation that the first call of `arrayKernels` chooses. */
async function firstChoice(): Promise<string> {
  let name = "";
  await jest.isolateModulesAsync(async () => {
    const { arrayKernels } = await import("../../../src/kernels/index.js");
    name = arrayKernels().name;
    expect(arrayKernels()).toBe(arrayKernels());
  });
  return name;
}

describe("array kernels", () => {
  test("run in WebAssembly if it is available", async () => {
    delete process.env["TFXIO_KERNELS"];
    expect(await firstChoice()).toBe("wasm");
  });

  test("obey TFXIO_KERNELS=typescript", async () => {
    process.env["TFXIO_KERNELS"] = "typescript";
    expect(await firstChoice()).toBe("typescript");
  });

  test("run in TypeScript if WebAssembly is unavailable", async () => {
    scope.WebAssembly = undefined;
    expect(await firstChoice()).toBe("typescript");
  });
});
