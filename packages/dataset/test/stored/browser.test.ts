import { expect, test } from "@jest/globals";
import { loadStored } from "../../src/stored/load-browser.js";

test("storing elements in a folder is not supported in browsers", async () => {
  await expect(loadStored()).rejects.toMatchObject({ code: "unsupported", reason: "file-system" });
});
