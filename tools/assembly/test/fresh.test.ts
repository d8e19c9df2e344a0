import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { carrierOf, compileAssembly, wasmModules } from "../build.mjs";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.each(wasmModules)("$name", (module) => {
  const carrier = readFileSync(module.carrier, "utf8");
  const bytes = Buffer.from(/"([^"]*)";\n$/.exec(carrier)?.[1] ?? "", "base64");

  test("equals its compiled sources (if not, run: pnpm generate)", () => {
    const wasm = compileAssembly(module);
    expect(sha256(bytes)).toBe(sha256(wasm));
    expect(carrier).toBe(carrierOf(wasm, module));
  });

  test("imports nothing, or only its memory if it is the shared kernel", () => {
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: {
        Module: (new (bytes: Uint8Array) => object) & { imports(module: object): readonly unknown[] };
      };
    };
    expect(WebAssembly.Module.imports(new WebAssembly.Module(bytes))).toEqual(
      module.name === "sharedKernelWasmBase64" ? [{ module: "env", name: "memory", kind: "memory" }] : [],
    );
  });
});
