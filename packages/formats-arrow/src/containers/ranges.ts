import { type ByteRange, type ByteSource, slicesOf } from "@tfxio/wire";
import { truncated } from "../metadata/damage.js";

/**
 * Reads ranges of a source, each of which must lie within the source.
 * @throws {RecordError} `truncated-record` (`message`) if a range extends past the end of the source.
 * @throws {SourceError} from the source.
 */
export async function rangesOf(
  source: ByteSource,
  ranges: readonly ByteRange[],
  signal: AbortSignal | undefined,
): Promise<readonly Uint8Array[]> {
  const some = ranges.filter(({ start, end }) => end > start);
  const found = some.length === 0 ? [] : await slicesOf(source, some, { signal });
  let at = 0;
  return ranges.map(({ start, end }) => {
    const bytes = end > start ? found[at++] : undefined;
    const length = bytes?.length ?? 0;
    if (length === end - start) return bytes ?? new Uint8Array(0);
    const place = { uri: source.uri, byteOffset: start };
    throw truncated(place, `only ${length} of ${end - start} bytes are present`, "message");
  });
}

/** Reads one range. Returns fewer bytes if the source ends within it. */
export async function clippedRange(
  source: ByteSource,
  range: ByteRange,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const [bytes] = await slicesOf(source, [range], { signal });
  return bytes ?? new Uint8Array(0);
}
