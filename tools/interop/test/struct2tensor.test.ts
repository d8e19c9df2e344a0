import { describe, expect, test } from "@jest/globals";
import { Random } from "@tfxio/wire";
import { ourAnswer } from "../src/struct2tensor/our-answer.js";
import { plantedFaults } from "../src/struct2tensor/planted-faults.js";
import { type QueryCase, randomCase, randomSchemas } from "../src/struct2tensor/random-case.js";
import { allOperators } from "../src/struct2tensor/random-query.js";

const schemas = randomSchemas(1, 30);
const cases: readonly QueryCase[] = Array.from({ length: 300 }, (_, index) =>
  randomCase(Random.of(2, index), schemas),
);

describe("cases for struct2tensor", () => {
  test("use every operator, and more than nine in ten have results", async () => {
    const drawn = new Set(cases.flatMap(({ query }) => query.map(({ op }) => op)));
    expect([...drawn].sort()).toEqual([...allOperators].sort());
    const answers = await Promise.all(cases.map(ourAnswer));
    expect(answers.filter((answer) => "error" in answer).length).toBeLessThan(cases.length / 10);
  });

  test("use map keys, casts and extensions", () => {
    const paths = cases.flatMap((each) => each.paths).join("\n");
    expect(paths).toMatch(/\w\[\w*\]/u);
    expect(paths).toContain("(fuzz.Held)");
    expect(paths).toContain("(fuzz.x0)");
  });

  test("are the same for the same seed", () => {
    expect(randomCase(Random.of(2, 7), schemas)).toEqual(cases[7]);
  });

  test("have a place for every planted fault, and each fault changes a result", async () => {
    const answers = await Promise.all(cases.map(ourAnswer));
    for (const { name, plant } of plantedFaults) {
      const planted = answers.map((answer) => [answer, plant(answer as never)] as const);
      const found = planted.find(([, changed]) => changed !== undefined);
      expect([name, found]).toEqual([name, expect.anything()]);
      expect(found![1]).not.toEqual(found![0]);
    }
  });
});
