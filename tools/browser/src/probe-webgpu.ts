import type { Page } from "playwright-core";

/** The part of a browser that this probe queries. */
interface Browser {
  readonly navigator: { readonly gpu?: { requestAdapter(): Promise<object | null> } };
}

/** The reason why a page of a secure origin cannot use WebGPU; undefined when it can. */
export async function missingWebGpu(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const { gpu } = (globalThis as unknown as Browser).navigator;
    if (gpu === undefined) return "this Chromium has no navigator.gpu";
    if ((await gpu.requestAdapter()) === null)
      return "this Chromium has no WebGPU adapter, not even SwiftShader";
    return undefined;
  });
}
