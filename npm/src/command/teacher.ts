// The sentence encoder that a model was trained with, which reads documents better than the model alone.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure, reasonOf } from "./failure.js";
import { digestOf, type ModelFolder, packagesAround } from "./models.js";

const PACKAGE = "smooth-clir-teacher";
/** What a model's folder says of its teacher. */
const ABOUT = "teacher.json";
/** The model's map of the teacher's vectors. */
export const PROJECTION = "deep.safetensors";

/** Whether a teacher made a model, and can read documents for it. */
export const hasProjection = ({ folder }: ModelFolder): boolean => existsSync(join(folder, PROJECTION));

/** The bytes of a teacher. They are shared with the workers. */
export type Teacher = Uint8Array<SharedArrayBuffer>;

/** The teacher that `--teacher` names, or else that of the package in `node_modules`; undefined where there is none. */
export function findTeacher(model: ModelFolder, named: string | undefined, around: readonly string[]): Teacher | undefined {
  if (named !== undefined) {
    if (!hasProjection(model)) throw new Failure(`--teacher: the model in ${model.folder} has no ${PROJECTION}: no teacher made it`, 2);
    return read(named);
  }
  const path = packagesAround(around, (name) => name === PACKAGE).map((folder) => join(folder, "teacher.safetensors")).find(existsSync);
  if (path === undefined || !hasProjection(model)) return undefined;
  const teacher = read(path);
  const about = join(model.folder, ABOUT);
  const expected = existsSync(about) ? (JSON.parse(readFileSync(about, "utf8")) as { sha256: string }).sha256 : undefined;
  const found = digestOf(teacher);
  if (expected === undefined || expected === found) return teacher;
  throw new Failure(
    `${path} is not the teacher of the model in ${model.folder}: its SHA-256 is ${found}, expected ${expected}; ` +
      "install the version that belongs to the model, or give --light",
  );
}

function read(path: string): Teacher {
  try {
    const bytes = readFileSync(path);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
  } catch (cause) {
    throw new Failure(`${path}: cannot be read: ${reasonOf(cause)}`, 1, { cause });
  }
}
