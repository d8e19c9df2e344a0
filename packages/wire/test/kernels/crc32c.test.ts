import { describe, expect, test } from "@jest/globals";
import { maskCrc32c, typescriptKernels } from "../../src/kernels/index.js";

const crc32c: typeof typescriptKernels.crc32c = (...bytes) => typescriptKernels.crc32c(...bytes);

/** Computes the checksum bit by bit, from the definition of the polynomial. */
function crcByBits(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

describe("crc32c", () => {
  test.each<[string, Uint8Array, number]>([
    // RFC 3720, appendix B.4.
    ["32 zero bytes", new Uint8Array(32), 0x8a9136aa],
    ["32 bytes of 0xff", new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ["32 ascending bytes", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ["32 descending bytes", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
    // The check value of CRC catalogues.
    ['the text "123456789"', new TextEncoder().encode("123456789"), 0xe3069283],
    ["no bytes", new Uint8Array(0), 0],
  ])("of %s has the published value", (_, bytes, crc) => expect(crc32c(bytes)).toBe(crc));

  test("matches the definition for each range that starts in the first five of 100 bytes", () => {
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => (i * 197 + 31) & 255);
    for (let start = 0; start < 5; start++) {
      for (let end = start; end <= bytes.length; end++) {
        expect(crc32c(bytes, start, end)).toBe(crcByBits(bytes.subarray(start, end)));
      }
    }
  });

  test("is masked as in TFRecord files", () => {
    // The length field of an empty record: eight zeros, as TensorFlow writes it.
    expect(crc32c(new Uint8Array(8))).toBe(0x8c28b28a);
    expect(maskCrc32c(0x8c28b28a)).toBe(0x07980329);
    expect(maskCrc32c(0)).toBe(0xa282ead8);
  });
});
