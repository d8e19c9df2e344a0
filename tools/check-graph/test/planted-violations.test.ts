import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type TurboResult, WorkspaceCopy } from "./workspace-copy.js";

let copy: WorkspaceCopy;
let before: readonly string[];
beforeAll(() => {
  copy = WorkspaceCopy.ofRepository();
  before = copy.checkGraph();
});
afterEach(() => copy.restore());
afterAll(() => copy.remove());

/** Returns the findings of check-graph that the unchanged workspace does not have. */
function planted(): string[] {
  return copy.checkGraph().filter((violation) => !before.includes(violation));
}

describe("the unchanged workspace", () => {
  test("is accepted by turbo boundaries and by check-graph", () => {
    const { status, output } = copy.turbo("boundaries");
    expect(output).toContain("no issues found");
    expect(status).toBe(0);
    expect(before).toEqual([]);
  });
});

describe("turbo boundaries rejects", () => {
  // All violations are planted together, because turbo reports all of them and each run takes a second.
  let result: TurboResult;
  beforeAll(() => {
    copy.declare("formats-tfrecord", "dependencies", { "@tfxio/dataset": "workspace:*" });
    copy.write("packages/formats-tfrecord/src/planted.ts", 'export { dataset } from "@tfxio/dataset";\n');
    copy.declare("format", "dependencies", { "@tfxio/arrow-encoding": "workspace:*" });
    copy.write("packages/format/src/planted.ts", 'export { encodeExample } from "@tfxio/arrow-encoding";\n');
    const schema = (name: string, text: string): void =>
      copy.write(`packages/schema/src/planted-${name}.ts`, text);
    schema("value", 'import { left } from "left-value";\nexport const planted: unknown = left;\n');
    schema("type", 'import type { Left } from "left-type";\nexport type Planted = Left;\n');
    schema("dynamic", 'export const planted = (): Promise<unknown> => import("left-dynamic");\n');
    schema("escape", 'export { TfxioError } from "../../wire/src/errors.js";\n');
    result = copy.turbo("boundaries");
  });

  test.each([
    [
      "an import of a package on a higher layer",
      "`@tfxio/dataset` found without any tag listed in allowlist for `@tfxio/formats-tfrecord`",
    ],
    [
      "an import of a sibling package",
      "`@tfxio/arrow-encoding` found without any tag listed in allowlist for `@tfxio/format`",
    ],
    ["an undeclared import of a value", "`left-value`"],
    ["an undeclared import of a type", "`left-type`"],
    ["an undeclared dynamic import", "`left-dynamic`"],
    ["a relative import that leaves the package", "`../../wire/src/errors.js` leaves the package"],
  ])("%s", (_kind, finding) => {
    expect(result.output).toContain(finding);
    expect(result.status).toBe(1);
  });
});

describe("check-graph rejects", () => {
  test("a package without a tag", () => {
    copy.write("packages/schema/turbo.json", '{ "extends": ["//"] }');
    expect(planted()).toEqual([expect.stringMatching(/^@tfxio\/schema: turbo\.json has no tag/)]);
  });

  test("a package with two tags, or with an unknown tag", () => {
    copy.write("packages/schema/turbo.json", '{ "extends": ["//"], "tags": ["layer:schema", "layer:io"] }');
    expect(planted()).toEqual([expect.stringContaining('has "layer:schema", "layer:io"')]);
    copy.write("packages/schema/turbo.json", '{ "extends": ["//"], "tags": ["layer:schemas"] }');
    expect(planted()).toEqual([expect.stringContaining('has "layer:schemas"')]);
  });

  test("a peer dependency on a package of a forbidden layer", () => {
    copy.declare("schema", "peerDependencies", { "@tfxio/format": "workspace:*" });
    expect(planted()).toEqual([
      "@tfxio/schema: peerDependencies has @tfxio/format of layer:columnar, but layer:schema must not depend on layer:columnar",
    ]);
  });

  test.each([
    ["a value", 'export { tableFromArrays } from "planted-only-for-development";\n'],
    ["a type", 'import type { Table } from "planted-only-for-development";\nexport type Planted = Table;\n'],
    ["a type, by import()", 'export type Planted = import("planted-only-for-development").Table;\n'],
    [
      "a subpath, by dynamic import()",
      'export const planted = import("planted-only-for-development/deep");\n',
    ],
  ])("an import in src from a devDependency: %s", (_kind, text) => {
    copy.declare("schema", "devDependencies", { "planted-only-for-development": "1.0.0" });
    copy.write("packages/schema/src/planted.ts", text);
    expect(planted()).toEqual([
      expect.stringMatching(/^packages\/schema\/src\/planted\.ts: imports .* only in devDependencies/),
    ]);
  });

  test("an import in src of an undeclared package", () => {
    copy.write("packages/schema/src/planted.ts", 'export { left } from "left-pad";\n');
    expect(planted()).toEqual([expect.stringContaining('imports "left-pad", which is not declared')]);
  });

  test("an import cycle that includes type-only imports", () => {
    copy.write(
      "packages/schema/src/planted-a.ts",
      'export type { B } from "./planted-b.js";\nexport type A = 1;\n',
    );
    copy.write(
      "packages/schema/src/planted-b.ts",
      'export { c } from "./planted-c.js";\nexport type B = 2;\n',
    );
    copy.write(
      "packages/schema/src/planted-c.ts",
      'import type { A } from "./planted-a.js";\nexport const c: A = 1;\n',
    );
    expect(planted()).toEqual([
      "@tfxio/schema: files import each other: " +
        "src/planted-a.ts → src/planted-b.ts → src/planted-c.ts → src/planted-a.ts",
    ]);
  });

  test("a Node built-in that is reachable from a main entry", () => {
    copy.write("packages/schema/src/planted.ts", 'export { readFileSync } from "node:fs";\n');
    copy.append("packages/schema/src/index.ts", 'export { readFileSync } from "./planted.js";\n');
    const violations = planted();
    expect(violations).toContainEqual(
      '@tfxio/schema: "node:fs" is reachable from the main entry: ' +
        "packages/schema/src/index.ts → packages/schema/src/planted.ts",
    );
    expect(violations.every((line) => line.includes('"node:fs" is reachable from the main entry'))).toBe(
      true,
    );
  });

  test("a Node-only package that is reachable from a main entry for browsers", () => {
    copy.append("packages/io/src/index.ts", 'export { openMetadataStore } from "@tfxio/artifacts";\n');
    expect(planted()).toContainEqual(
      expect.stringMatching(/^@tfxio\/io: "node:\w+" is reachable from the main entry/),
    );
  });

  test("a Node built-in on the browser side of package.json's `imports`, but accepts one on the Node side", () => {
    copy.write("packages/schema/src/planted-node.ts", 'export { readFileSync as read } from "fs";\n');
    copy.write("packages/schema/src/planted-browser.ts", "export const read = undefined;\n");
    copy.append("packages/schema/src/index.ts", 'export { read } from "#planted";\n');
    const imports = (node: string, other: string): Record<string, string> =>
      ({ "#planted": { "@tfxio/source": { node, default: other } } }) as never;
    copy.declare("schema", "imports", imports("./src/planted-node.ts", "./src/planted-browser.ts"));
    expect(planted()).toEqual([]);
    copy.declare("schema", "imports", imports("./src/planted-browser.ts", "./src/planted-node.ts"));
    expect(planted()).toContainEqual(expect.stringMatching(/^@tfxio\/schema: "fs" is reachable/));
  });
});
