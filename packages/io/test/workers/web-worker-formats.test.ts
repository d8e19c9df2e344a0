import { expect, test } from "@jest/globals";
import { describableFormats } from "../../src/description/describable-formats.js";
import { workerFormats } from "../../src/workers/formats-browser.js";

test("web workers can read exactly the formats that a description can name without a module", () => {
  const idsOf = (formats: typeof workerFormats): string[] => formats.map(({ id }) => id).sort();
  expect(idsOf(workerFormats)).toEqual(idsOf(describableFormats));
});
