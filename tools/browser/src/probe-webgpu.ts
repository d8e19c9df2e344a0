import type { Page } from "playwright-core";

/** The globals of a browser that this probe reads. */
interface Browser {
  readonly navigator: { readonly gpu?: { requestAdapter(): Promise<object | null> } };
}

/** Resolves to the reason why a page from a secure origin cannot use WebGPU, or to undefined if it can. */
export async function missingWebGpu(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const { gpu } = (globalThis as unknown as Browser).navigator;
    if (gpu === undefined) return "this Chromium has no navigator.gpu";
    if ((await gpu.requestAdapter()) === null)
      return "this Chromium has no WebGPU adapter, not even SwiftShader";
    return undefined;
  });
}
