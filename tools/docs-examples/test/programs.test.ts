import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "@jest/globals";
import { compilePages, createWorkFolder } from "../src/compile.js";
import { brokenLinks } from "../src/links.js";
import { repositoryUrl } from "../src/pages.js";
import { programsOf } from "../src/programs.js";

const page = (text: string, name = "README.md") => ({ name, text });

describe("programsOf", () => {
  test("joins the TypeScript blocks of a page in order, and omits blocks in other languages", () => {
    const text = "```ts\nconst a = 1;\n```\ntext\n```sh\nnpm test\n```\n```ts\nconsole.log(a);\n```\n";
    expect(programsOf(page(text))).toEqual([
      { fileName: "page.ts", code: "const a = 1;\nconsole.log(a);\nexport {};\n" },
    ]);
  });

  test("puts a block into the file that its first line names", () => {
    const text = "```ts\n// write.ts\nwrite();\n```\n```ts\n// read.ts\nread();\n```\n";
    expect(programsOf(page(text)).map(({ fileName }) => fileName)).toEqual(["write.ts", "read.ts"]);
  });

  test("omits blocks marked `ts ignore`, and blocks inside a longer fence", () => {
    expect(programsOf(page("```ts ignore\nx\n```\n````md\n```ts\ny\n```\n````\n"))).toEqual([]);
  });

  test("removes the indentation of a block in a list", () => {
    expect(programsOf(page("- so:\n  ```ts\n  if (a) {\n    b();\n  }\n  ```\n"))).toEqual([
      { fileName: "page.ts", code: "if (a) {\n  b();\n}\nexport {};\n" },
    ]);
  });
});

describe("compilePages", () => {
  const workFolder = createWorkFolder();
  afterAll(() => rmSync(workFolder, { recursive: true, force: true }));

  test("reports compiler errors only for the pages whose programs have them", () => {
    const [good, bad] = compilePages(
      [
        page("```ts\nconst a: number = 1;\nconsole.log(a);\n```", "good.md"),
        page("```ts\nconst b: number = 'x';\n```", "bad.md"),
      ],
      workFolder,
    );
    expect(good).toMatchObject({ name: "good.md", errors: [] });
    expect(bad?.errors).toEqual([expect.stringContaining("TS2322")]);
  });
});

describe("brokenLinks", () => {
  test("finds missing files and headings, and ignores web addresses and code", () => {
    const text =
      "# A title\n[a](package.json) [b](no-such.md) [c](#a-title) [d](#other) [e](https://example.org) `[f](code.md)`\n" +
      "[g](docs/architecture.md#package-layers) [h](docs/architecture.md#no-such)";
    expect(brokenLinks(page(text))).toEqual([
      "no-such.md: no such file",
      "#other: no such heading",
      "docs/architecture.md#no-such: no such heading",
    ]);
  });

  test("checks links to the repository on GitHub against the files in the working tree", () => {
    const text =
      `[a](${repositoryUrl}/blob/main/docs/architecture.md#package-layers) [b](${repositoryUrl}/tree/main/no-such) ` +
      `[c](${repositoryUrl}/blob/main/README.md#no-such) [d](${repositoryUrl}/issues)`;
    expect(brokenLinks(page(text, "packages/wire/README.md"))).toEqual([
      `${repositoryUrl}/tree/main/no-such: no such file`,
      `${repositoryUrl}/blob/main/README.md#no-such: no such heading`,
    ]);
  });

  test("rejects relative links in READMEs of packages", () => {
    const text = "# A title\n[a](package.json) [b](../../README.md) [c](#a-title)";
    expect(brokenLinks(page(text, "packages/wire/README.md"))).toEqual([
      "package.json: a relative link, which is broken on npm",
      "../../README.md: a relative link, which is broken on npm",
    ]);
  });
});
