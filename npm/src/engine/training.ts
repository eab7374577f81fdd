import {
  checkArray,
  checkBoolean,
  checkDevice,
  checkGiven,
  checkInteger,
  checkNumber,
  checkObject,
  checkString,
  U32_MAX,
} from "../arguments.js";
import type {
  Device,
  Training,
  TrainingCollection,
  TrainingEvaluation,
  TrainingOptions,
  TrainingSteps,
} from "../types.js";
import { TRAINING_STEPS } from "../limits.js";
import type { Link } from "./link.js";


/** Checks the arguments of a training and starts it. */
export async function startTraining(
  link: Link,
  collection: TrainingCollection,
  options: TrainingOptions | null,
): Promise<Training> {
  // The core knows the defaults and the limits.
  const { language, dimension, epsilon, thresholds, learningRate, negatives, seed, device = "auto" } = options ?? {};
  const { queries, documents, qrels } = collection ?? {};
  checkTexts("queries", queries);
  checkTexts("documents", documents);
  checkQrels(qrels);
  checkDevice(device);
  checkGiven(checkString, { language });
  checkGiven(checkNumber, { epsilon, learningRate });
  checkGiven(checkArray, { thresholds });
  thresholds?.forEach((threshold, at) => checkNumber(`thresholds[${at}]`, threshold));
  checkGiven((name, value) => checkInteger(name, value, 1), { dimension });
  checkGiven((name, value) => checkInteger(name, value, 0), { negatives });
  checkGiven((name, value) => checkInteger(name, value, 0, U32_MAX), { seed });
  const call = { language, dimension, epsilon, thresholds, learningRate, negatives, seed, device };
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
  #device: Device;
  readonly stepsInEpoch: number;

  constructor(link: Link, { stepsInEpoch, device }: { stepsInEpoch: number; device: Device }) {
    this.#link = link;
    this.#device = device;
    this.stepsInEpoch = stepsInEpoch;
  }

  get device(): Device {
    return this.#device;
  }

  async step(count = 1): Promise<TrainingSteps> {
    checkInteger("count", count, 1, TRAINING_STEPS);
    const { steps, device } = await this.#link.call("trainingSteps", count);
    this.#device = device;
    return steps;
  }

  async evaluate({ seen = false }: { seen?: boolean | undefined } = {}): Promise<TrainingEvaluation> {
    checkBoolean("seen", seen);
    const { evaluation, device } = await this.#link.call("evaluateTraining", seen);
    this.#device = device;
    return evaluation;
  }

  async end(): Promise<void> {
    await this.#link.call("endTraining");
  }
}
