import { expect, test } from "@jest/globals";
import { planUnits, unitsOfWorker } from "../../src/plan/index.js";
import { simulatedFormats, simulatedRead } from "./simulated-cluster.js";

const MIB = 2 ** 20;

test("1,000 workers share 99,020 units of 2,000 files evenly, and only units of unsplittable files exceed 64 MiB", async () => {
  // 2,000 files of 50 times 64 MiB. All are split into 50 parts, except 20 files that cannot be split.
  const files = { numFiles: 2000, fileBytes: 50 * 64 * MIB, everyUncuttable: 100 };
  const { units } = await planUnits(simulatedRead(files), {
    unitBytes: 64 * MIB,
    formats: simulatedFormats,
  });
  expect(units).toHaveLength(1980 * 50 + 20);
  expect(units.reduce((sum, { numBytes = 0 }) => sum + numBytes, 0)).toBe(2000 * files.fileBytes);
  const oversized = units.filter(({ numBytes = 0 }) => numBytes > 64 * MIB);
  expect(oversized.map(({ parts }) => parts.map(({ uri }) => uri.slice(-3)))).toEqual(
    Array.from({ length: 20 }, () => [".gz"]),
  );
  const shares = Array.from({ length: 1000 }, (_, worker) =>
    unitsOfWorker(units, { worker, numWorkers: 1000 }),
  );
  const sizes = new Set(shares.map(({ length }) => length));
  expect(sizes).toEqual(new Set([99, 100]));
  const ids = new Set(shares.flatMap((share) => share.map(({ id }) => id)));
  expect(ids.size).toBe(units.length);
});

test("if only some units are left, each worker gets an equal share, chosen by the units' indices", async () => {
  const { units } = await planUnits(simulatedRead({ numFiles: 10, fileBytes: 64 * MIB }), {
    unitBytes: 64 * MIB,
    formats: simulatedFormats,
  });
  const left = units.filter(({ index }) => index >= 4);
  const indicesOf = (worker: number): number[] =>
    unitsOfWorker(left, { worker, numWorkers: 3 }).map(({ index }) => index);
  expect([0, 1, 2].map(indicesOf)).toEqual([
    [6, 9],
    [4, 7],
    [5, 8],
  ]);
});

test("small files share units, in the order of the files", async () => {
  const { units } = await planUnits(simulatedRead({ numFiles: 100_000, fileBytes: MIB }), {
    unitBytes: 64 * MIB,
    formats: simulatedFormats,
  });
  expect(units).toHaveLength(Math.ceil(100_000 / 64));
  const uris = units.flatMap(({ parts }) => parts.map(({ uri }) => uri));
  expect(uris).toEqual([...uris].sort());
  expect(new Set(uris).size).toBe(100_000);
});
