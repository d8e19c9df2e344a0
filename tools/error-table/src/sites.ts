import { collectDeclarations } from "./declarations.js";
import { createEvaluator, Fork, type World } from "./evaluate.js";
import { child, children, type Module, type Node, walk } from "./syntax.js";

/** One message that an error can have. */
export interface ErrorMessage {
  readonly file: string;
  readonly errorClass: string;
  readonly code: string;
  /** The error's reason, or `–` if it has no reason. */
  readonly reason: string;
  /** The message, with a `{name}` placeholder for each value that is known only at run time. */
  readonly message: string;
}

/** A `new …Error(…)` in the sources, with all messages that it can have. */
export interface ErrorSite {
  readonly file: string;
  readonly source: string;
  readonly messages: readonly ErrorMessage[];
}

const ERROR_CLASS = /^(Argument|Source|Record|Schema|Conversion|Unsupported|UserFunction)Error$/;
const FIXED_CODES: Readonly<Record<string, string>> = {
  UnsupportedError: "unsupported",
  UserFunctionError: "user-function",
};
// This limit prevents exponential growth of the combinations of conditions. No site comes near it.
const MAX_WORLDS = 2000;

/** Finds every place in the modules that creates a TfxioError, with its possible messages. */
export function errorSites(modules: readonly Module[]): readonly ErrorSite[] {
  const evaluator = createEvaluator(collectDeclarations(modules));

  /** Returns the `reason` in the options of an error, even one inside a spread such as `...(x && { reason: y })`. */
  function reasonIn(module: Module, options: Node | undefined, world: World): string {
    const value = evaluator.propertyOf(options, "reason");
    if (value !== undefined) return evaluator.evaluate(module, value, world, true).text;
    for (const each of children(options, "properties")) {
      const spread = each["type"] === "SpreadElement" ? child(each, "arguments") : undefined;
      let nested: Node | undefined;
      walk(spread === undefined ? [] : [spread], (node) => {
        if (node["type"] === "KeyValueProperty" && child(node, "key")?.["value"] === "reason") {
          nested = child(node, "value");
        }
      });
      if (nested !== undefined) return evaluator.evaluate(module, nested, world, true).text;
    }
    return options === undefined || options["type"] === "ObjectExpression" ? "–" : "{reason}";
  }

  /** Returns the possible messages of one `new …Error(…)`. Evaluates it in an empty world, then in the worlds of each Fork. */
  function messagesOf(module: Module, node: Node, errorClass: string): readonly ErrorMessage[] {
    const values = children(node, "arguments").map((each) => child(each, "expression"));
    const fixed = FIXED_CODES[errorClass];
    const [code, message, options] = fixed === undefined ? values : [undefined, ...values];
    const found = new Map<string, ErrorMessage>();
    const worlds: World[] = [{ calls: new Map(), choices: new Map() }];
    for (let index = 0; index < worlds.length && index < MAX_WORLDS; index++) {
      const world = worlds[index] as World;
      try {
        const each: ErrorMessage = {
          file: module.file,
          errorClass,
          code: fixed ?? (code === undefined ? "{code}" : evaluator.evaluate(module, code, world, true).text),
          reason: reasonIn(module, options, world).replace(/^\{undefined\}$/, "–"),
          message: message === undefined ? "" : evaluator.evaluate(module, message, world, true).text,
        };
        found.set(`${each.code} ${each.reason} ${each.message}`, each);
      } catch (fork) {
        if (!(fork instanceof Fork)) throw fork;
        worlds.push(...fork.worlds);
      }
    }
    return [...found.values()];
  }

  return modules.flatMap((module) => {
    const sites: ErrorSite[] = [];
    walk(module.body, (node) => {
      const errorClass = node["type"] === "NewExpression" ? String(child(node, "callee")?.["value"]) : "";
      if (!ERROR_CLASS.test(errorClass)) return;
      sites.push({
        file: module.file,
        source: module.textOf(node),
        messages: messagesOf(module, node, errorClass),
      });
    });
    return sites;
  });
}
