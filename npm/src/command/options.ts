// The command line.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../errors.js";
import { usage } from "./failure.js";

/** What `index` is asked for. */
export interface IndexOptions {
  inputs: string[];
  out: string;
  /** The language of documents that state none, if it is one. */
  language: string | undefined;
  /** The languages that are indexed, of several that were named; undefined for all. */
  languages: string[] | undefined;
  /** Languages of queries beside those of the documents. */
  queryLanguages: string[];
  english: English;
  fields: string[];
  /** The beginning of all ids. */
  prefix: string;
  words: number | undefined;
  precision: "i8" | "f32";
  block: number;
  model: string | undefined;
  isLight: boolean;
  teacher: string | undefined;
  /** Whether the output has the whole model. */
  isWhole: boolean;
  base: string | undefined;
  isStrict: boolean;
  /** The port of the preview, if there is to be one. */
  port: number | undefined;
  isQuiet: boolean;
}

/** What is done with passages in English. */
export const ENGLISH = ["index", "skip", "keep"] as const;
export type English = (typeof ENGLISH)[number];

export type Command =
  | { name: "index"; options: IndexOptions }
  | { name: "serve"; folder: string; port: number }
  | { name: "help"; of: "all" | "index" | "serve" }
  | { name: "version" };

/** The preview's port, where none is named. */
export const PORT = 4173;
/** The language that stands for that of each page. */
const AUTO = "auto";
/** Texts in a file: a result that is shown fetches one file. */
const BLOCK = 16;

export const HELP = {
  all: `Search in other languages than your own, for sites without a server.

Usage: smooth-clir <COMMAND>

Commands:
  index  Make the search of a site: an index of its pages and all that a browser needs
  serve  Preview a site with its search

Options:
  -h, --help     Print help; smooth-clir index --help has the options of index
  -V, --version  Print the version
`,
  index: `Make the search of a site: an index of its pages and all that a browser needs

Usage: smooth-clir index [OPTIONS] --out <FOLDER> <FOLDER|FILE>...

Arguments:
  <FOLDER|FILE>...  Folders of pages (.md, .html, .txt), pages, sitemaps (.xml) beside their pages, or files of documents (.jsonl and
                    .csv with id, title and text, .tsv with lines of these)

Options:
      --out <FOLDER>         The folder to make, most often in the site: site/search. An earlier search there is replaced
      --language <xx>        The documents' language; by default, or for auto, that of each page. Repeated: only documents in these
                             languages
      --ask <xx>             A language in which visitors may ask, beside English and those of the pages: its pack is fetched by those who
                             do. May be repeated
      --english <WHAT>       Passages in English: index them as English, skip them, or keep them as the documents' language
                             [default: index]
      --field <NAME>         A field for filters: a name in the .jsonl or .csv, in the front matter of .md, in <meta name=...> or
                             data-pagefind-filter of .html, or a sitemap's lastmod; may be repeated
      --prefix <TEXT>        The beginning of all ids, such as fr/: it tells documents from those of another index with the same ids
      --passage-words <N>    Split documents into passages of at most this number of words [default: 200 for pages; others are whole]
      --precision <WHAT>     The precision of the stored vectors: i8 or f32 [default: i8]
      --block <N>            Documents in each file of texts [default: ${BLOCK}]
      --model <FOLDER>       A model; by default, of the packages smooth-clir-models-* in node_modules, else the package's own
      --whole-model          Copy the whole model, for documents that visitors add, in place of the part that searches need
      --light                Encode documents by the model alone, without a sentence encoder
      --teacher <FILE>       The sentence encoder that the model was trained with; by default, of the package smooth-clir-teacher
      --base <URL>           The URL of the pages, to which results link; by default, FOLDER as seen from --out
      --strict               Stop at the first page that cannot be read, in place of leaving it out
      --serve [<PORT>]       Preview the site with its search [default port: ${PORT}]
      --quiet                Print errors only
  -h, --help                 Print help
`,
  serve: `Preview a site with its search

Usage: smooth-clir serve [OPTIONS] <FOLDER>

Arguments:
  <FOLDER>  The site, with the folder that smooth-clir index made in it

Options:
      --port <PORT>  The port [default: ${PORT}; 0: any that is free]
  -h, --help         Print help
`,
} as const;

const INDEX = {
  out: { type: "string" },
  language: { type: "string", multiple: true },
  ask: { type: "string", multiple: true },
  english: { type: "string" },
  field: { type: "string", multiple: true },
  prefix: { type: "string" },
  "passage-words": { type: "string" },
  precision: { type: "string" },
  block: { type: "string" },
  model: { type: "string" },
  "whole-model": { type: "boolean" },
  light: { type: "boolean" },
  teacher: { type: "string" },
  base: { type: "string" },
  strict: { type: "boolean" },
  serve: { type: "string" },
  quiet: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} satisfies ParseArgsConfig["options"];

const SERVE = { port: { type: "string" }, help: { type: "boolean", short: "h" } } satisfies ParseArgsConfig["options"];

/** Reads the arguments of the command line. */
export function commandOf(args: readonly string[]): Command {
  const [name, ...rest] = args;
  switch (name) {
    case "index":
      return indexCommand(rest);
    case "serve":
      return serveCommand(rest);
    case undefined:
    case "-h":
    case "--help":
    case "help":
      return { name: "help", of: "all" };
    case "-V":
    case "--version":
      return { name: "version" };
    default:
      throw usage(`unknown command \`${name}\`: expected index or serve; the native program has more`);
  }
}

function indexCommand(args: string[]): Command {
  const { values, positionals } = parsed("index", withPort(args), INDEX);
  if (values.help) return { name: "help", of: "index" };
  if (positionals.length === 0) throw usage("index needs the site's folder, as in: smooth-clir index site/ --out site/search");
  if (values.out === undefined) throw usage("--out is missing: name the folder to make, most often in the site, such as --out site/search");
  if (values.light && values.teacher !== undefined) throw usage("--light and --teacher do not go together");
  const { base, precision = "i8", english = "index" } = values;
  const languages = languagesIn(values.language ?? []);
  if (!isOneOf(precision, ["i8", "f32"] as const)) throw usage(`--precision ${precision}: expected i8 or f32`);
  if (!isOneOf(english, ENGLISH)) throw usage(`--english ${english}: expected ${ENGLISH.join(", ")}`);
  if (base !== undefined && !/^https?:$/.test(protocolOf(base))) throw usage(`--base ${base}: expected a URL with http or https`);
  const options: IndexOptions = {
    inputs: positionals,
    out: values.out,
    language: languages.length === 1 ? languages[0] : undefined,
    languages: languages.length > 1 ? languages : undefined,
    queryLanguages: codes("ask", values.ask ?? []),
    english,
    fields: values.field ?? [],
    prefix: values.prefix ?? "",
    words: count("passage-words", values["passage-words"]),
    precision,
    block: count("block", values.block) ?? BLOCK,
    model: values.model,
    isLight: values.light ?? false,
    teacher: values.teacher,
    isWhole: values["whole-model"] ?? false,
    base,
    isStrict: values.strict ?? false,
    port: values.serve === undefined ? undefined : portOf("serve", values.serve),
    isQuiet: values.quiet ?? false,
  };
  return { name: "index", options };
}

function serveCommand(args: string[]): Command {
  const { values, positionals } = parsed("serve", args, SERVE);
  if (values.help) return { name: "help", of: "serve" };
  const [folder, more] = positionals;
  if (folder === undefined || more !== undefined) throw usage("serve needs one folder, as in: smooth-clir serve site/");
  return { name: "serve", folder, port: values.port === undefined ? PORT : portOf("port", values.port) };
}

/** Languages that an option names, each once. */
function codes(option: string, named: readonly string[]): string[] {
  for (const language of named) {
    if (!/^[A-Za-z0-9-]{1,35}$/.test(language)) throw usage(`--${option} ${language}: expected a language code: letters, digits and hyphens`);
  }
  return [...new Set(named)];
}

/** The languages of documents that are named; none for `auto`. */
function languagesIn(named: readonly string[]): string[] {
  const languages = codes("language", named);
  if (!languages.includes(AUTO)) return languages;
  if (named.length > 1) throw usage(`--language ${AUTO} goes with no other --language`);
  return [];
}

/** Gives `--serve` its value: the port after it, or the usual one. */
function withPort(args: readonly string[]): string[] {
  const given: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--") return [...given, ...args.slice(at)];
    const next = args[at + 1];
    if (arg !== "--serve") given.push(arg);
    else if (next !== undefined && /^\d+$/.test(next)) given.push(`--serve=${args[++at]!}`);
    else given.push(`--serve=${PORT}`);
  }
  return given;
}

function parsed<T extends NonNullable<ParseArgsConfig["options"]>>(name: string, args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Its first sentence says what is wrong; those after it, how a file of such a name would be given.
    const problem = messageOf(error).replace(/\. .*$/s, "");
    const isUnknown = (error as NodeJS.ErrnoException).code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    throw usage(isUnknown ? `${problem}: smooth-clir ${name} --help has all there are` : problem);
  }
}

function count(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > 1_000_000_000) throw usage(`--${name} ${value}: expected a number from 1 to 1000000000`);
  return number;
}

function portOf(name: string, value: string): number {
  const port = /^\d+$/.test(value) ? Number(value) : -1;
  if (port < 0 || port > 65_535) throw usage(`--${name} ${value}: expected a port from 0 to 65535`);
  return port;
}

const isOneOf = <T extends string>(value: string, allowed: readonly T[]): value is T => (allowed as readonly string[]).includes(value);
const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : "");
