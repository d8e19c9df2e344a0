import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";

const sources = new URL("../src/", import.meta.url);

test("no source imports TensorFlow.js but for its types, so that importing the package loads none of it", () => {
  for (const name of readdirSync(sources)) {
    const code = readFileSync(new URL(name, sources), "utf8");
    for (const [statement] of code.matchAll(/^(?:import|export)\b[^;]*@tensorflow[^;]*;/gm)) {
      expect({ name, statement }).toEqual({
        name,
        statement: expect.stringMatching(/^(?:import|export) type /),
      });
    }
    expect(code).not.toMatch(/import\(\s*["']@tensorflow/);
  }
});
