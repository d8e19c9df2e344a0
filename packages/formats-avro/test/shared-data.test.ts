import { expect, test } from "@jest/globals";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { avro } from "@tfxio/formats-avro";
import { bytesSource } from "@tfxio/wire";
import { avroRows } from "./avro-rows.js";

// Chicago taxi trips, written by TFX. shared/data/README.md says how many there are, as counted by other software. The name of
// their record type has spaces, which the specification forbids but the writer allowed.
const shared = path.resolve(import.meta.dirname, "../../../../shared/data");
const file = path.join(shared, "taxi/avro/data.avro");
const whenShared = existsSync(file) ? test : test.skip;

whenShared("the taxi file yields as many trips as the README of the shared data says", async () => {
  const listed = /`taxi\/avro\/data\.avro` \|[^|]*\|[^|]*\| (\d+) \|/.exec(
    readFileSync(path.join(shared, "README.md"), "utf8"),
  );
  const rows = await avroRows(readFileSync(file));
  expect(rows).toHaveLength(Number(listed?.[1]));
});

whenShared("the taxi file yields the same trips as the CSV file", async () => {
  const [head = "", ...lines] = readFileSync(path.join(shared, "taxi/csv/data.csv"), "utf8")
    .trimEnd()
    .split("\n");
  const names = head.trim().split(",");
  const rows = (await avroRows(readFileSync(file))) as Record<string, unknown>[];
  expect(lines.length).toBeGreaterThan(1000);
  const text = (cell: unknown): string => (cell === null || cell === undefined ? "" : String(cell));
  const same = rows.filter((row, index) => {
    const cells = lines[index]?.trim().split(",") ?? [];
    return names.every((name, at) => {
      const [found, wanted] = [text(row[name]), cells[at] ?? ""];
      return (
        found === wanted ||
        (wanted !== "" && Math.abs(Number(found) - Number(wanted)) <= Math.abs(Number(wanted)) * 1e-6)
      );
    });
  });
  expect(same.length).toBe(rows.length);
});

whenShared("the taxi file is split at sync markers without losing or repeating a trip", async () => {
  const reader = await avro.open([bytesSource(readFileSync(file), "data.avro")]);
  const plan = await reader.plan({ splitBytes: 100_000, rowPositionColumn: "at" });
  expect(plan.splits.length).toBe(9);
  const positions: bigint[] = [];
  for (const split of plan.splits) {
    for await (const batch of plan.read(split)) positions.push(...(batch.getChild("at") as Iterable<bigint>));
  }
  expect(positions).toHaveLength(10_000);
  expect(positions.every((at, row) => row === 0 || at > positions[row - 1]!)).toBe(true);
});
