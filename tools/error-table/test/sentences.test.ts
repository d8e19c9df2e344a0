import path from "node:path";
import { expect, test } from "@jest/globals";
import { errorSites } from "../src/sites.js";
import { readSources } from "../src/sources.js";

const root = path.resolve(import.meta.dirname, "../../..");
const sites = errorSites(readSources(root));
const messages = [...new Set(sites.flatMap((site) => site.messages.map(({ message }) => message.trimEnd())))];

/** The end of a message that quotes another error. The quoted text is the whole message, or follows a colon. */
const QUOTED = /(?:^|: )\{(?:String|detail|join|message|problem|replace|text|what)\}$/;

/** A first word that is an ordinary word of a sentence. Other words in lower case are names of arguments, options or methods. */
const WORD =
  /^(?:a|all|an|at|by|each|element|every|feature|found|it|its|no|the|there|this|unknown|with|without)\b(?!:)/;

/** The mark under a mistake in an expression, on the last line of the message. */
const MARKED = /\n\S* *\{?\w*\}?\^$/;

test("every message ends with a full stop, a question mark, quoted text or the mark under a mistake", () => {
  expect(messages.length).toBeGreaterThan(1_000);
  expect(
    messages.filter((message) => !MARKED.test(message) && !/[.?]$/.test(message) && !QUOTED.test(message)),
  ).toEqual([]);
});

test("no message ends with two punctuation marks", () => {
  expect(messages.filter((message) => /(?<!\.)\.\.$|[?!:;,]\.$|\.\?$/.test(message))).toEqual([]);
});

test("every message that begins with an ordinary word begins with a capital letter", () => {
  expect(messages.filter((message) => WORD.test(message))).toEqual([]);
});
