import { expect, test } from "@jest/globals";
import type { HostColumn } from "@tfxio/tensor-adapter";
import { main } from "../src/main.js";
import { layoutInput, layouts } from "../src/webgpu/layout.js";

test("bench webgpu reports missing WebGPU packages, and measures nothing", async () => {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const status = await main(
    ["webgpu", "--rounds", "1"],
    { TFXIO_BENCH_WEBGPU: "/no-such-folder" },
    { print: (line) => stdout.push(line), progress: (line) => stderr.push(line) },
  );
  expect([status, stdout.join("")]).toEqual([0, ""]);
  expect(stderr.join("\n")).toContain("device: absent");
});

test("the result of each layout of up to 1 MiB has the layout's numBytes, within 2%", () => {
  for (const layout of layouts.filter(({ numBytes }) => numBytes <= 2 ** 20)) {
    const { batch, adapter } = layoutInput(layout);
    const column = adapter.toHost(batch)["x"] as HostColumn;
    const numElements = column.kind === "sparse" ? column.indices.length : column.values.length;
    expect(Math.abs((numElements * 4) / layout.numBytes - 1)).toBeLessThan(0.02);
  }
});
