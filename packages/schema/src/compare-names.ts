/**
 * Total order of names: byte order of their UTF-8, which is the order of code points (and differs from JavaScript's
 * `<` where surrogates meet U+E000 to U+FFFF). Negative, 0 or positive, for `sort`.
 */
export function compareNames(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates, halves of code points above U+FFFF, behind all other code units. */
function codePointRank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
