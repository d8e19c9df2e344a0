import { createFormatRegistry } from "../registry.js";
import { check, type FormatCheck } from "./check.js";
import type { Subject } from "./opened-fixture.js";
import { createProbeSource } from "./probe-source.js";

/** That a registry finds the format, by name and by content. */
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
  if (sniff !== undefined && bytes.length > 0) {
    checks.push({
      name: "is found by its first bytes, and not by none",
      run: async () => {
        await checkDetected("part-00000-of-00001");
        check(!sniff(new Uint8Array()), "an empty source was taken for this format");
      },
    });
  }
  return checks;
}
