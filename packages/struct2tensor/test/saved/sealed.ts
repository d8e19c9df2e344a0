import { createHash } from "node:crypto";
import { canonicalJson } from "../../src/saved/canonical-json.js";

export const hash = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");

/** Replaces the manifest of a saved view with one that lists these files and their correct digests. Returns the same map. */
export function sealed(
  files: Map<string, Uint8Array>,
  change: (manifest: Record<string, unknown>) => void = () => {},
): Map<string, Uint8Array> {
  const manifest = JSON.parse(new TextDecoder().decode(files.get("dataview.json"))) as Record<
    string,
    unknown
  >;
  files.delete("dataview.json");
  const listed = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => ({ path: name, bytes: bytes.length, sha256: hash(bytes) }));
  manifest["files"] = listed;
  delete manifest["digest"];
  change(manifest);
  const lines = listed.map((file) => `${file.path}\0${file.sha256}\n`).join("");
  manifest["digest"] = hash(lines + canonicalJson(manifest as never));
  return files.set("dataview.json", new TextEncoder().encode(canonicalJson(manifest as never)));
}
