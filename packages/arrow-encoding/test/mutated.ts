import type { Draw } from "./random.js";

/**
 * Damages `bytes` in place up to three times: truncates, flips a bit, or inserts, removes, repeats or overwrites bytes. Returns a
 * copy of the result.
 */
export function mutated(draw: Draw, bytes: number[]): Uint8Array {
  for (let n = draw.below(4); n > 0 && bytes.length > 0; n--) {
    const at = draw.below(bytes.length);
    switch (draw.below(7)) {
      case 0:
        bytes.length = at;
        break;
      case 1:
        bytes[at]! ^= 1 << draw.below(8);
        break;
      case 2:
        bytes.splice(at, 0, ...draw.bytes(1 + draw.below(4)));
        break;
      case 3:
        bytes.splice(at, 1 + draw.below(4));
        break;
      case 4:
        bytes.splice(at, 0, ...bytes.slice(at, at + draw.below(20)));
        break;
      case 5:
        bytes[at] = draw.pick([0, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0c, 0x12, 0x1a]);
        break;
      default:
        bytes[at] = (bytes[at]! + draw.pick([1, 255])) & 255;
    }
  }
  return Uint8Array.from(bytes);
}
