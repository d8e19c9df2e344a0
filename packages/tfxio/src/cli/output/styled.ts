import { styleText } from "node:util";

/** `text` in a style of terminals, whatever stdout is: who calls knows where it goes. */
export function styled(style: "bold" | "dim" | "red", text: string): string {
  return styleText(style, text, { validateStream: false });
}
