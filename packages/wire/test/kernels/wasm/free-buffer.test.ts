import { afterEach, expect, test } from "@jest/globals";
import type { WasmMemory } from "../../../src/kernels/wasm/web-assembly.js";
import { freeBuffer } from "../../../src/kernels/wasm/free-buffer.js";

const globals = globalThis as { MessageChannel?: unknown };
const { MessageChannel } = globals;
afterEach(() => {
  globals.MessageChannel = MessageChannel;
});

const MB = 2 ** 20;
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Memory: new (size: { initial: number }) => WasmMemory };
};

test("freeBuffer frees the memory of a buffer at once, and empties the views of the buffer", () => {
  const before = process.memoryUsage().arrayBuffers;
  const bytes = new Uint8Array(256 * MB);
  // The garbage collector may free other buffers meanwhile.
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(200 * MB);
  freeBuffer(bytes.buffer);
  expect(bytes).toHaveLength(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MB);
});

test("freeBuffer ignores empty buffers and buffers that are already freed", () => {
  const empty = new ArrayBuffer(0);
  const { buffer } = new Uint8Array(10);
  freeBuffer(empty);
  freeBuffer(buffer);
  freeBuffer(buffer);
  expect(buffer.byteLength).toBe(0);
  expect(() => structuredClone(empty, { transfer: [empty] })).not.toThrow();
});

test("freeBuffer keeps buffers that cannot be transferred, such as the pool of small Buffers", () => {
  const pooled = Buffer.from("pooled");
  expect(pooled.buffer.byteLength).toBe(Buffer.poolSize);
  freeBuffer(pooled.buffer);
  expect(String(pooled)).toBe("pooled");
  const { buffer } = new WebAssembly.Memory({ initial: 1 });
  freeBuffer(buffer as ArrayBuffer);
  expect(buffer.byteLength).toBe(65536);
});

test("freeBuffer leaves buffers to the garbage collector in a runtime without MessageChannel", () => {
  delete globals.MessageChannel;
  const bytes = Uint8Array.of(1, 2, 3);
  freeBuffer(bytes.buffer);
  expect([...bytes]).toEqual([1, 2, 3]);
});
