// Texts that mean null, in sequence, each after a word with its length.
import { allocate } from "./memory";

let markers: usize = 0;
let markersEnd: usize = 0;
/** Length of the longest marker; -1 when there is none. */
export let longestMarker: i32 = -1;
/** Quoted cells can be markers. */
export let quotedNulls: bool = true;

/** Where the host lays the markers. */
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
