import { isTfxioError } from "@tfxio/wire";
import { createFormatRegistry } from "../registry.js";
import { check, type FormatCheck } from "./check.js";
import type { Subject } from "./opened-fixture.js";
import { createProbeSource } from "./probe-source.js";

/** Creates checks that a registry finds the format by name, and that the format does not claim an empty source. */
export function detectionChecks<Options extends object>({
  format,
  fixture,
}: Subject<Options>): FormatCheck[] {
  const registry = createFormatRegistry(format);
  const [bytes = new Uint8Array()] = fixture.sources;
  const checkDetected = async (uri: string): Promise<void> => {
    const source = createProbeSource(uri, bytes);
    check((await registry.detect(source)) === format, `${uri} was taken for another format`);
    check(source.numOpen() === 0, `${uri} is still open after detection`);
  };
  const checks: FormatCheck[] = [
    {
      name: "is found by each of its extensions",
      run: async () => {
        for (const extension of format.extensions) await checkDetected(`Part-1${extension}`);
      },
    },
  ];
  const { sniff } = format;
  if (sniff !== undefined) {
    checks.push({
      name: "does not claim an empty source",
      run: async () => check(!sniff(new Uint8Array()), "an empty source was taken for this format"),
    });
  }
  return checks;
}

/** Returns whether a registry finds the format by the fixture's first bytes. Text formats need not recognize every fixture. */
export async function isFoundByContent<Options extends object>({
  format,
  fixture,
}: Subject<Options>): Promise<boolean> {
  const source = createProbeSource("part-00000-of-00001", fixture.sources[0] ?? new Uint8Array());
  try {
    return (await createFormatRegistry(format).detect(source)) === format;
  } catch (error) {
    if (isTfxioError(error, "unknown-format")) return false;
    throw error;
  } finally {
    check(source.numOpen() === 0, `${source.uri} is still open after detection`);
  }
}
