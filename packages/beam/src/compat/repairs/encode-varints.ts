import { ConversionError } from "@tfxio/wire";
import type { Repair } from "../repair.js";

/**
 * The SDK reads and writes varints as 32-bit integers, so 2^31 becomes -2^31, and the job still ends as DONE. This repair uses 64
 * bits, and rejects numbers that are not safe integers.
 */
export const encodeVarints: Repair = {
  defect: "integers of 2^31 and above change their value",
  apply({ coders: { VarIntCoder } }) {
    VarIntCoder.prototype.encode = function (value, writer) {
      if (!Number.isSafeInteger(value)) {
        throw new ConversionError(
          "out-of-range",
          `${value} is not a safe integer, so it has no exact varint.`,
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
