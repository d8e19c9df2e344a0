import type { ByteSource } from "@tfxio/wire";

const LF = 0x0a;
/** Size of one read in search of a line end. A round trip takes longer than these bytes. */
const PROBE_BYTES: number = 2 ** 16;

/** How cuts are looked for. */
export interface LineCutting {
  /** Wanted bytes between two cuts. */
  readonly partBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Starts of lines in a source of plain text, about `partBytes` from one to the next. Reads around these places only. */
export async function findLineCuts(
  source: ByteSource,
  { partBytes, signal }: LineCutting,
): Promise<{ readonly byteOffset: number }[]> {
  const { byteLength = 0 } = source;
  const cuts: { readonly byteOffset: number }[] = [];
  let wanted = partBytes;
  while (wanted < byteLength) {
    const byteOffset = await nextLine(source, wanted - 1, signal);
    if (byteOffset >= byteLength) break;
    cuts.push({ byteOffset });
    wanted = byteOffset + partBytes;
  }
  return cuts;
}

/** Offset of the first line that begins after `start`; the length of the source if no line does. */
async function nextLine(source: ByteSource, start: number, signal: AbortSignal | undefined): Promise<number> {
  const { byteLength = 0 } = source;
  for (let at = start; at < byteLength; at += PROBE_BYTES) {
    const probe = await source.slice(at, Math.min(at + PROBE_BYTES, byteLength), { signal });
    const newline = probe.indexOf(LF);
    if (newline >= 0) return at + newline + 1;
  }
  return byteLength;
}
