import { styleText } from "node:util";

/** `text` in a terminal style. Does not check whether the output is a terminal: the caller does. */
export function styled(style: "bold" | "dim" | "red", text: string): string {
  return styleText(style, text, { validateStream: false });
}
