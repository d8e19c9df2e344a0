import { afterEach, expect, test } from "@jest/globals";
import { reuseBuffer } from "../../../src/kernels/wasm/reuse-buffer.js";
import type { WasmMemory } from "../../../src/kernels/wasm/web-assembly.js";

const globals = globalThis as { structuredClone?: unknown };
const { structuredClone: clone } = globals;
afterEach(() => {
  globals.structuredClone = clone;
});

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { initial: number }) => WasmMemory };
};

test("reuseBuffer empties all views of a buffer, and returns the same memory with its contents", () => {
  const MB = 2 ** 20;
  const bytes = new Uint8Array(64 * MB).fill(7);
  const before = process.memoryUsage().arrayBuffers;
  const reused = new Uint8Array(reuseBuffer(bytes.buffer)!);
  expect(bytes).toHaveLength(0);
  expect(reused).toHaveLength(64 * MB);
  expect(reused.every((byte) => byte === 7)).toBe(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MB);
});

test("reuseBuffer returns undefined for memory that cannot be transferred, and keeps its views valid", () => {
  const pooled = Buffer.from("pooled");
  expect(pooled.buffer.byteLength).toBe(Buffer.poolSize);
  expect(reuseBuffer(pooled.buffer)).toBeUndefined();
  expect(String(pooled)).toBe("pooled");
  const { buffer } = new WebAssembly.Memory({ initial: 1 });
  expect(reuseBuffer(buffer as ArrayBuffer)).toBeUndefined();
  expect(buffer.byteLength).toBe(65536);
});

test("reuseBuffer returns undefined for a buffer that is already detached", () => {
  const { buffer } = Uint8Array.of(1);
  reuseBuffer(buffer);
  expect(reuseBuffer(buffer)).toBeUndefined();
});

test("reuseBuffer returns undefined in a runtime without structuredClone", () => {
  delete globals.structuredClone;
  const bytes = Uint8Array.of(1, 2);
  expect(reuseBuffer(bytes.buffer)).toBeUndefined();
  expect([...bytes]).toEqual([1, 2]);
});
