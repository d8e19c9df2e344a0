/** Returns a function that returns true for a cell equal to one of the null markers. */
export function createNullTest(
  markers: readonly Uint8Array[],
): (text: Uint8Array, start: number, end: number) => boolean {
  const longest = Math.max(-1, ...markers.map(({ length }) => length));
  const isMarker = (text: Uint8Array, start: number, end: number): boolean =>
    markers.some(
      (marker) =>
        marker.length === end - start && marker.every((byte, index) => byte === text[start + index]),
    );
  return (text, start, end) => end - start <= longest && isMarker(text, start, end);
}
