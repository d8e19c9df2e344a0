import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";

const sources = new URL("../src/", import.meta.url);

test("no source imports TensorFlow.js but for its types", () => {
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const code = readFileSync(new URL(name, sources), "utf8");
    for (const [statement] of code.matchAll(/^(?:import|export)\b[^;]*@tensorflow[^;]*;/gm)) {
      expect({ name, statement }).toEqual({
        name,
        statement: expect.stringMatching(/^(?:import|export) type /),
      });
    }
    // What loads backends when it is asked to.
    if (name === "backends/import-module.ts") continue;
    expect(code).not.toMatch(/import\(\s*["']@tensorflow/);
  }
});

/** A module hook that writes the URL of every module that is loaded to standard output. */
const hook = `
  import { writeSync } from "node:fs";
  export async function load(url, context, nextLoad) {
    writeSync(1, url + "\\n");
    return nextLoad(url, context);
  }`;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const register = dataUrl(
  `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`,
);

test("importing the built package in a process of its own loads no module of TensorFlow.js", () => {
  const loadedBy = (code: string): string[] =>
    execFileSync(process.execPath, ["--import", register, "--input-type=module", "--eval", code], {
      cwd: new URL("..", import.meta.url),
      encoding: "utf8",
    }).split("\n");
  const entry = new URL("../dist/index.js", import.meta.url).href;
  const loaded = loadedBy(`await import(${JSON.stringify(entry)});`);
  expect(loaded).toContain(entry);
  expect(loaded.filter((url) => url.includes("@tensorflow"))).toEqual([]);
  // The same hook does see it when it is there.
  expect(loadedBy('await import("@tensorflow/tfjs-core");').join()).toContain("@tensorflow");
});
