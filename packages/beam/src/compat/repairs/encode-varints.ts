import { ConversionError } from "@tfxio/wire";
import type { Repair } from "../repair.js";

/**
 * The SDK reads and writes varints as 32-bit integers, so 2^31 becomes -2^31, and the job still ends as DONE. This repair uses 64
 * bits. Its encoder throws {@link ConversionError} `out-of-range` (`varint`) for numbers that are not safe integers.
 */
export const encodeVarints: Repair = {
  defect: "integers of 2^31 and above change their value",
  apply({ coders: { VarIntCoder } }) {
    VarIntCoder.prototype.encode = function (value, writer) {
      if (!Number.isSafeInteger(value)) {
        throw new ConversionError(
          "out-of-range",
          `A number that Beam encodes as a varint must be a safe integer, found ${value}.`,
          {
            reason: "varint",
          },
        );
      }
      (writer as unknown as { int64(value: number): void }).int64(value);
    };
    VarIntCoder.prototype.decode = function (reader) {
      return Number((reader as unknown as { int64(): { toString(): string } }).int64().toString());
    };
  },
};
