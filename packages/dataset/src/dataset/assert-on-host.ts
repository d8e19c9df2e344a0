import { ArgumentError } from "@tfxio/wire";
import type { Plan } from "../plan.js";

/** @throws {ArgumentError} `invalid-argument` when elements hold tensors. */
export function assertOnHost({ tf }: Plan, operator: string): void {
  if (tf === undefined) return;
  throw new ArgumentError(
    "invalid-argument",
    `${operator}: elements hold tensors; call ${operator} before withTensors`,
  );
}
