import { expect, test } from "@jest/globals";
import { KernelInstance, WINDOW_BYTES } from "../../../src/kernels/wasm/kernel-instance.js";
import { createWasmKernels } from "../../../src/kernels/wasm/wasm-kernels.js";
import { compileKernels } from "../../../src/kernels/wasm/web-assembly.js";
import { Draw } from "./draw.js";

/** Computes the checksum bit by bit, from the definition of the polynomial. */
function crcByBits(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const bytes = Uint8Array.from(new Draw(1).bytes(20_000));

test("the checksum in WebAssembly matches the definition at lengths around each of its step sizes", () => {
  const instance = new KernelInstance(compileKernels(), WINDOW_BYTES);
  const steps = [0, 8, 16, 256, 272, 304, 320, 336, 416, 1024, 4096, 4368, 4384, 4400, 8464, 8496, 12_560];
  for (const length of steps.flatMap((step) => [step - 1, step, step + 1, step + 9]).filter((n) => n >= 0)) {
    const start = length % 7;
    instance.load(bytes, start, start + length);
    expect(instance.exports.crcOfInput(length, 0) >>> 0).toBe(
      crcByBits(bytes.subarray(start, start + length)),
    );
  }
});

test("the checksum of the digits 1 to 9, computed in WebAssembly in two steps, has the published value", () => {
  const instance = new KernelInstance(compileKernels(), WINDOW_BYTES);
  const digits = new TextEncoder().encode("123456789");
  instance.load(digits, 0, 4);
  const before = instance.exports.crcOfInput(4, 0);
  instance.load(digits, 4, 9);
  expect(instance.exports.crcOfInput(5, before) >>> 0).toBe(0xe3069283);
});

test("the checksum in WebAssembly matches the definition for an input larger than two input windows", () => {
  const many = new Uint8Array(WINDOW_BYTES * 2 + 1000);
  for (let p = 0; p < many.length; p += bytes.length) many.set(bytes.subarray(0, many.length - p), p);
  expect(createWasmKernels().crc32c(many, 3)).toBe(crcByBits(many.subarray(3)));
});
