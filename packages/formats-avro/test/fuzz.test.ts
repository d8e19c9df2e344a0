import { expect, test } from "@jest/globals";
import { isTfxioError, Random } from "@tfxio/wire";
import { avroRows } from "./avro-rows.js";
import { avscFile } from "./avsc-file.js";

// `pnpm check` draws more cases.
const NUM_TRIALS = Number(process.env["TFXIO_FUZZ_RECORDS"] ?? 25_000) / 100;

test("a file with one byte overwritten at random yields rows or is rejected with a TfxioError", async () => {
  const schema = {
    type: "record",
    name: "R",
    fields: [
      { name: "a", type: { type: "array", items: ["null", "string"] } },
      { name: "m", type: { type: "map", values: "long" } },
      { name: "d", type: "double" },
    ],
  };
  const rows = Array.from({ length: 40 }, (_, row) => ({
    a: [null, { string: "x".repeat(row % 5) }],
    m: { k: BigInt(row) },
    d: row / 3,
  }));
  let numRejected = 0;
  const random = Random.of(7, 0);
  for (const codec of ["null", "deflate", "snappy"] as const) {
    const file = await avscFile(schema, rows, { codec, blockSize: 200 });
    for (let trial = 0; trial < NUM_TRIALS; trial++) {
      const damaged = file.slice();
      damaged[random.below(damaged.length)] = random.below(256);
      try {
        await avroRows(damaged);
      } catch (error) {
        if (!isTfxioError(error)) throw error;
        numRejected++;
      }
    }
  }
  // A number with a changed byte is still a number. Most other changes are detected.
  expect(numRejected).toBeGreaterThan(NUM_TRIALS);
});
