import {
  checkArray,
  checkBoolean,
  checkDevice,
  checkGiven,
  checkInteger,
  checkNoOthers,
  checkNumber,
  checkObject,
  checkPositive,
  checkString,
  U32_MAX,
} from "../arguments.js";
import type {
  Device,
  Training,
  TrainingCollection,
  TrainingDistance,
  TrainingEvaluation,
  TrainingOptions,
  TrainingSteps,
} from "../types.js";
import { SmoothClirError } from "../errors.js";
import { TRAINING_STEPS } from "../limits.js";
import type { Link } from "./link.js";

/** Checks the arguments of a training and starts it. */
export async function startTraining(
  link: Link,
  collection: TrainingCollection,
  options: TrainingOptions | null,
): Promise<Training> {
  // The core knows the defaults and the limits.
  const { device = "auto", language, dimension, epsilon, thresholds, loss, scale, ...rest } = options ?? {};
  const { gradesByLinks, learningRate, clip, descent, ...further } = rest;
  const { replaced, standardDeviation, batchSize, negatives, seed, ...others } = further;
  checkNoOthers(others);
  const { queries, documents, qrels } = collection ?? {};
  checkTexts("queries", queries);
  checkTexts("documents", documents);
  checkQrels(qrels);
  checkDevice(device);
  checkGiven(checkString, { language, loss });
  checkGiven(checkBoolean, { gradesByLinks });
  checkGiven(checkNumber, { epsilon, learningRate });
  checkGiven(checkPositive, { scale, clip, descent, standardDeviation });
  checkGiven(checkArray, { thresholds });
  thresholds?.forEach((threshold, at) => checkNumber(`thresholds[${at}]`, threshold));
  checkGiven((name, value) => checkInteger(name, value, 1), { dimension, batchSize, replaced });
  checkGiven((name, value) => checkInteger(name, value, 0), { negatives });
  checkGiven((name, value) => checkInteger(name, value, 0, U32_MAX), { seed });
  const given = { language, dimension, epsilon, thresholds, loss, scale, gradesByLinks, learningRate, clip, descent };
  const call = { ...given, replaced, standardDeviation, batchSize, negatives, seed, device };
  return new RemoteTraining(link, await link.call("startTraining", { queries, documents, qrels }, call));
}

function checkTexts(name: string, texts: unknown): void {
  checkArray(name, texts);
  texts.forEach((one, at) => {
    checkObject(`${name}[${at}]`, one);
    checkString(`${name}[${at}].id`, one["id"]);
    checkString(`${name}[${at}].text`, one["text"]);
  });
}

function checkQrels(qrels: unknown): void {
  checkArray("qrels", qrels);
  qrels.forEach((one, at) => {
    checkObject(`qrels[${at}]`, one);
    checkString(`qrels[${at}].query`, one["query"]);
    checkString(`qrels[${at}].document`, one["document"]);
    checkInteger(`qrels[${at}].grade`, one["grade"], 0);
  });
}

/** A training on the other end of a link. */
class RemoteTraining implements Training {
  readonly #link: Link;
  readonly #name: number;
  #device: Device;
  readonly stepsInEpoch: number;

  constructor(link: Link, { training, stepsInEpoch, device }: { training: number; stepsInEpoch: number; device: Device }) {
    this.#link = link;
    this.#name = training;
    this.#device = device;
    this.stepsInEpoch = stepsInEpoch;
  }

  get device(): Device {
    return this.#device;
  }

  async step(count = 1): Promise<TrainingSteps> {
    checkInteger("count", count, 1, TRAINING_STEPS);
    const { steps, device } = await this.#link.call("trainingSteps", this.#name, count);
    this.#device = device;
    return steps;
  }

  async evaluate(options: { seen?: boolean | undefined } = {}): Promise<TrainingEvaluation> {
    const { seen = false, ...others } = options ?? {};
    checkNoOthers(others);
    checkBoolean("seen", seen);
    const { evaluation, device } = await this.#link.call("evaluateTraining", this.#name, seen);
    this.#device = device;
    return evaluation;
  }

  async distance(other: Training): Promise<TrainingDistance> {
    if (!(other instanceof RemoteTraining) || other.#link !== this.#link) {
      throw new SmoothClirError("invalid-argument", "`other` must be a training of the same engine");
    }
    return this.#link.call("trainingDistance", this.#name, other.#name);
  }

  async end(): Promise<void> {
    await this.#link.call("endTraining", this.#name);
  }
}
