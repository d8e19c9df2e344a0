import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";

const repository = path.join(import.meta.dirname, "..", "..", "..");
const copy = mkdtempSync(path.join(tmpdir(), "tfxio-fresh-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

beforeAll(() => {
  for (const file of ["proto", "buf.yaml", "buf.gen.yaml"]) {
    cpSync(path.join(repository, file), path.join(copy, file), { recursive: true });
  }
  for (const name of readdirSync(path.join(repository, "packages"))) {
    cpSync(path.join(repository, "packages", name), path.join(copy, "packages", name), {
      recursive: true,
      filter: (file) => !/[/\\](?:node_modules|dist|test|\.turbo)$/.test(file),
    });
  }
});

function check() {
  const bin = path.join(repository, "node_modules", ".bin");
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(repository, "tools", "gate", "fresh.mjs"), copy],
    {
      encoding: "utf8",
      env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` },
    },
  );
  return { status, stderr };
}

const generated = "packages/schema/src/generated/tensorflow_metadata/proto/v0";

describe("generated protobuf code", () => {
  test("is rejected if it was edited, or if its .proto file no longer exists", () => {
    appendFileSync(path.join(copy, generated, "path_pb.ts"), "// edited\n");
    writeFileSync(path.join(copy, generated, "gone_pb.ts"), "");
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringContaining(`${generated}/gone_pb.ts: out of date with its .proto file`),
      expect.stringContaining(`${generated}/path_pb.ts: out of date with its .proto file`),
    ]);
  });
});
