import { expect, test } from "@jest/globals";
import { LineProcess } from "../src/line-process.js";

test("a process that closes its output before it prints an error is reported with that error", async () => {
  const program = `
    require("node:fs").closeSync(1);
    setTimeout(() => {
      console.error("the reason");
      process.exit(1);
    }, 200);`;
  const child = new LineProcess([process.execPath, "-e", program]);
  await expect(child.receive()).rejects.toThrow(/^the reason$/);
});

test("a program that does not exist is reported with its name", async () => {
  await expect(new LineProcess(["/no-such-program"]).receive()).rejects.toThrow(/\/no-such-program/);
});
