import { messageOf } from "../errors.js";
import type { Gpu } from "../full-module.js";
import type { Device, DevicePreference } from "../types.js";
import { nameOf, type SharedGpu } from "./gpu.js";

/** Takes steps in WebAssembly until it is moved to a GPU. */
interface Movable {
  moveTo(gpu: Gpu): Promise<void>;
}

const inWasm = (reason: string): Device => ({ kind: "wasm", name: "WebAssembly", reason });

/** Decides where fine-tuning or a training takes its steps: on the GPU, if that is preferred and its gradients are right. */
export class Placement {
  readonly #gpu: SharedGpu;
  readonly #preference: DevicePreference;
  readonly #movable: Movable;
  #device = inWasm("it was requested");

  constructor(gpu: SharedGpu, preference: DevicePreference, movable: Movable) {
    this.#gpu = gpu;
    this.#preference = preference;
    this.#movable = movable;
  }

  get device(): Device {
    return this.#device;
  }

  /** Moves the work to the GPU, or says in `device` why not. */
  async move(): Promise<void> {
    if (this.#preference === "wasm") return;
    const gpu = await this.#gpu.get();
    if (typeof gpu === "string") {
      this.#device = inWasm(gpu);
      return;
    }
    const name = await nameOf(gpu);
    if (this.#preference === "auto" && gpu.software) {
      this.#device = inWasm(`the graphics card here (${name}) is the processor in disguise, and slower`);
      return;
    }
    try {
      await this.#movable.moveTo(gpu);
      this.#device = { kind: "webgpu", name, reason: "its first gradients were those of the processor" };
    } catch (error) {
      this.#device = inWasm(`${name} failed: ${messageOf(error)}`);
      await this.#gpu.forget();
    }
  }

  /** The GPU failed, and the work continues in WebAssembly: another GPU is requested, once. */
  async failed(reason: string): Promise<void> {
    await this.#gpu.forget();
    if (this.#gpu.wasRequestedAgain) {
      this.#device = inWasm(`the graphics card failed: ${reason}`);
      return;
    }
    this.#gpu.wasRequestedAgain = true;
    await this.move();
    this.#device.reason += `; the graphics card failed before: ${reason}`;
  }
}
