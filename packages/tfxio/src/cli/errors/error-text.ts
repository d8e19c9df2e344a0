import { isTfxioError, type TfxioError } from "@tfxio/wire/errors";
import { printable } from "../output/printable.js";
import { styled } from "../output/styled.js";
import { type Call, hintOf } from "./hints.js";

/** Maximum number of stacks to show. A chain of causes may be circular. */
const MAX_CAUSES = 8;

/** Options of {@link errorText}. */
export interface ErrorStyle {
  /** True with `--debug`. */
  readonly isDebugging: boolean;
  readonly hasColour: boolean;
  /** The command that failed. Undefined if the error occurred before the command's action began. */
  readonly call?: Call | undefined;
}

/**
 * Formats the error of a failed command. The text of a TfxioError has its message (with the code), its location if known, a hint
 * if there is one, and a link to docs/errors.md. Any other error is reported as a bug. With `--debug`, the text also has the
 * stacks.
 */
export function errorText(error: unknown, { isDebugging, hasColour, call }: ErrorStyle): string {
  const red = (text: string): string => (hasColour ? styled("red", text) : text);
  const lines = [`${red("error")} ${messageOf(error)}`];
  if (isTfxioError(error)) {
    const { code, reason } = error;
    const place = placeOf(error);
    if (place !== "") lines.push(`  at ${place}`);
    const hint = hintOf(error, call);
    if (hint !== undefined) lines.push(`  hint: ${hint}`);
    lines.push(`  see: ${printable(error.helpUrl)}`);
    if (isDebugging) lines.push(`  code ${code}${reason === undefined ? "" : `, reason ${reason}`}`);
  } else {
    lines.push("  This is a bug in tfxio; please report it with the output of --debug.");
  }
  if (isDebugging) lines.push(stackOf(error));
  return `${lines.join("\n")}\n`;
}

/** Returns the message with control characters escaped, except line breaks. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n").map(printable).join("\n");
}

/** Formats the location of the error: file, record, byte, column, row and line. Unknown parts are omitted. */
function placeOf(error: TfxioError): string {
  const { uri, recordIndex, byteOffset, columnPath, row, line, column } = error as TfxioError & {
    readonly [name: string]: string | number | undefined;
  };
  const parts = [
    uri,
    recordIndex === undefined ? undefined : `record ${recordIndex}`,
    byteOffset === undefined ? undefined : `byte ${byteOffset}`,
    columnPath === undefined ? undefined : `column ${columnPath}`,
    row === undefined ? undefined : `row ${row}`,
    line === undefined ? undefined : `line ${line}${column === undefined ? "" : `:${column}`}`,
  ];
  return printable(parts.filter((part) => part !== undefined).join(", "));
}

/** Returns the stacks of the error and of its causes, at most {@link MAX_CAUSES} in total. */
function stackOf(error: unknown): string {
  const stacks: string[] = [];
  // `instanceof` is false for errors from another realm, so the members are read from any object.
  for (let cause = error, depth = 0; cause !== undefined && depth < MAX_CAUSES; depth++) {
    const { stack, cause: next } = Object(cause) as { readonly stack?: string; readonly cause?: unknown };
    stacks.push(`${depth === 0 ? "" : "caused by "}${stack ?? String(cause)}`);
    cause = next;
  }
  return stacks.join("\n");
}
