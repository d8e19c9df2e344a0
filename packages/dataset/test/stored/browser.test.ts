import { expect, test } from "@jest/globals";
import { loadStored } from "../../src/stored/load-browser.js";

test("browsers have no folders for elements", async () => {
  await expect(loadStored()).rejects.toMatchObject({ code: "unsupported", reason: "file-system" });
});
