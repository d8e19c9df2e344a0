import { expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { randomSchemas, runTrial } from "./naive/run-trial.js";

// `pnpm check` draws more cases.
const NUM_QUERIES = Math.max(1_000, Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 1_000));

test(
  "random queries over prensors, record batches and protobuf messages give the same results as the naive interpreter",
  async () => {
    const schemas = await randomSchemas(11, 40);
    const used = new Map<string, number>();
    let numFields = 0;
    for (let trial = 0; trial < NUM_QUERIES; trial++) {
      const { steps, difference, numFields: compared } = await runTrial(Random.of(12, trial), schemas);
      numFields += compared;
      for (const { op } of steps) used.set(op, (used.get(op) ?? 0) + 1);
      if (difference !== undefined)
        throw new Error(`query ${trial}: ${JSON.stringify(steps)}\n${difference}`);
    }
    // Every operator must occur, and enough fields must be compared.
    expect(used.size).toBe(21);
    expect(Math.min(...used.values())).toBeGreaterThan(NUM_QUERIES / 200);
    expect(numFields).toBeGreaterThan(NUM_QUERIES * 3);
  },
  60 * 60_000,
);
