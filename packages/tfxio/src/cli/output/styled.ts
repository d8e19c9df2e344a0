import { styleText } from "node:util";

/** Wraps `text` in the escape codes of a style. The caller must check that the output supports colours. */
export function styled(style: "bold" | "dim" | "red", text: string): string {
  return styleText(style, text, { validateStream: false });
}
