import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { kernelWasmBase64 } from "../../../src/kernels/wasm/kernel-wasm.js";
import { carrierOf, compileAssembly } from "../../../assembly/build.mjs";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("the embedded kernels are what their sources compile to; else run: pnpm generate", () => {
  const wasm = compileAssembly();
  expect(sha256(Buffer.from(kernelWasmBase64, "base64"))).toBe(sha256(wasm));
  const file = path.join(import.meta.dirname, "../../../src/kernels/wasm/kernel-wasm.ts");
  expect(readFileSync(file, "utf8")).toBe(carrierOf(wasm));
});

test("the embedded kernels import nothing, so that they run wherever WebAssembly does", () => {
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: {
      Module: (new (bytes: Uint8Array) => object) & { imports(module: object): readonly unknown[] };
    };
  };
  const module = new WebAssembly.Module(Buffer.from(kernelWasmBase64, "base64"));
  expect(WebAssembly.Module.imports(module)).toEqual([]);
});
