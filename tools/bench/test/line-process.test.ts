import { expect, test } from "@jest/globals";
import { LineProcess } from "../src/line-process.js";

test("LineProcess.receive() rejects with the error that a process prints to stderr after it closes stdout", async () => {
  const program = `
    require("node:fs").closeSync(1);
    setTimeout(() => {
      console.error("the reason");
      process.exit(1);
    }, 200);`;
  const child = new LineProcess([process.execPath, "-e", program]);
  await expect(child.receive()).rejects.toThrow(/^the reason$/);
});

test("LineProcess.receive() names the program in its error if the program does not exist", async () => {
  await expect(new LineProcess(["/no-such-program"]).receive()).rejects.toThrow(/\/no-such-program/);
});
