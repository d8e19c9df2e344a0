/**
 * Returns whether the bytes from `start` to `end` (exclusive) are valid UTF-8: no overlong forms, no surrogates, nothing above
 * U+10FFFF.
 * @see RFC 3629, section 4: the first byte of a sequence determines which bytes may follow
 */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const lead = bytes[at++] as number;
    if (lead < 0x80) continue;
    if (lead < 0xc2 || lead > 0xf4) return false;
    const numFollowing = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (at + numFollowing > end) return false;
    const second = bytes[at] as number;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (let following = 1; following < numFollowing; following++) {
      if (((bytes[at + following] as number) & 0xc0) !== 0x80) return false;
    }
    at += numFollowing;
  }
  return true;
}
