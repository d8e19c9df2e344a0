import path from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Finding } from "@tfxio-tools/interop/reporter";
import { tensorCases } from "@tfxio-tools/interop/tensor-cases";
import { bundleForBrowser, wasmBackendFiles } from "../src/bundle.js";
import { findChromium, launchChromium } from "../src/chromium.js";
import { missingWebGpu } from "../src/probe-webgpu.js";
import { serve } from "../src/serve.js";

type WebGpuPage = typeof import("../src/webgpu-page.js");

async function openPage(executable: string) {
  const webgpu = path.join(import.meta.dirname, "..", "dist", "webgpu-page.js");
  const files = new Map([...(await bundleForBrowser({ webgpu })), ...wasmBackendFiles()]);
  const browser = await launchChromium(executable);
  const served = await serve(files);
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(served.origin);
  const close = async (): Promise<void> => {
    await browser.close();
    await served.close();
  };
  return { page, problems, close, missing: await missingWebGpu(page) };
}

const executable = findChromium();
const opened = executable === undefined ? undefined : await openPage(executable);
const missing =
  opened === undefined ? "Chromium is not on the PATH; install it or set CHROMIUM_PATH" : opened.missing;
if (missing !== undefined) {
  console.warn(`skipped: ${missing}`);
  await opened?.close();
}
const describeWithWebGpu = missing === undefined ? describe : describe.skip;

describeWithWebGpu("WebGPU in Chromium", () => {
  // Jest runs this callback even if the block is skipped, and `opened` is undefined without Chromium.
  const { page, problems, close } = (opened ?? {}) as NonNullable<typeof opened>;
  afterAll(() => close?.());

  test("passes all checks, and none is skipped", async () => {
    const findings = await page.evaluate(
      async ([url, cases]) => {
        const { checkWebGpu } = (await import(url)) as WebGpuPage;
        return checkWebGpu(cases);
      },
      ["/webgpu.js", tensorCases()] as const,
    );
    const withStatus = (status: Finding["status"]) => findings.filter((finding) => finding.status === status);
    expect(withStatus("failed")).toEqual([]);
    expect(withStatus("skipped")).toEqual([]);
    expect(withStatus("passed").length).toBeGreaterThan(tensorCases().length);
    expect(problems).toEqual([]);
  });

  test("is usable according to explainBackends, which lists every backend", async () => {
    const table = await page.evaluate(async (url) => {
      const { backendsTable } = (await import(url)) as WebGpuPage;
      return backendsTable();
    }, "/webgpu.js");
    expect(table.split("\n").map((line) => line.trimEnd().split(/ {2,}/))).toEqual([
      ["backend", "usable", "reason", "detail"],
      ["tfjs-node-gpu", "no", "wrong-runtime", "runs in Node only"],
      ["tfjs-node", "no", "wrong-runtime", "runs in Node only"],
      ["webgpu", "yes", expect.stringContaining("google")],
      ["wasm", "yes", "WebAssembly, tfjs 4.22.0"],
      ["cpu", "yes", "plain JavaScript, tfjs 4.22.0"],
    ]);
    expect(problems).toEqual([]);
  });
});
