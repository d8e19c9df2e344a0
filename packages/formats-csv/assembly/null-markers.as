// The null markers, one after another. Each is preceded by its length, as an i32.
import { allocate } from "./memory";

let markers: usize = 0;
let markersEnd: usize = 0;
/** Length of the longest marker; -1 without markers. */
export let longestMarker: i32 = -1;
/** True if a quoted cell can be null. */
export let quotedNulls: bool = true;

/** The address to which the host writes the markers; 0 when memory runs out. */
export function roomForMarkers(size: usize, longest: i32, includesQuoted: bool): usize {
  markers = allocate(size);
  markersEnd = markers + size;
  longestMarker = longest;
  quotedNulls = includesQuoted;
  return markers;
}

export function isMarker(start: usize, length: usize): bool {
  for (let p = markers; p < markersEnd; ) {
    const markerLength = <usize>load<u32>(p);
    p += 4;
    if (markerLength == length && memory.compare(p, start, length) == 0) return true;
    p += markerLength;
  }
  return false;
}
