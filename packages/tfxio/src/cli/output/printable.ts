/**
 * Escapes characters that move the cursor, break a line or change the writing direction. Names and messages may come from
 * untrusted files, and a terminal would interpret these characters.
 */
export function printable(text: string): string {
  // Control characters, line separators, and directional embeddings, overrides and isolates (Unicode Standard Annex 9).
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
