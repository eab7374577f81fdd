import type { SmoothClir } from "smooth-clir";
import { make, makeButton } from "../ui/dom";
import { toFailure } from "../ui/failure";
import * as format from "../ui/format";

/** Something that is computed step by step with an engine, such as trainings. */
export interface Steps<Settings extends object> {
  readonly settings: Settings;
  /** The steps that were taken. */
  readonly steps: number;
  /** The steps after which it is done. */
  readonly total: number;
  step(count: number): Promise<void>;
  /** Frees its memory. */
  end(): void;
}

/** The words of a player. */
export interface PlayerText {
  title: string;
  play: string;
  pause: string;
  step: string;
  again: string;
  fetching: string;
  ready: string;
  at(steps: string, of: string): string;
  failed(message: string, code: string): string;
}

interface Player<Settings extends object, Run extends Steps<Settings>> {
  text: PlayerText;
  engine(): SmoothClir | undefined;
  /** The settings of now. */
  settings(): Settings;
  begin(engine: SmoothClir, settings: Settings): Promise<Run>;
  /** The steps between two pictures, while it plays. */
  stride(run: Run): number;
  /** Draws a run, or that there is none. */
  draw(run: Run | undefined): void;
}

/** Plays, pauses, takes single steps and starts again; other settings are another run. */
export class StepPlayer<Settings extends object, Run extends Steps<Settings>> {
  /** The buttons, as a group. */
  readonly buttons = make("div", "button-row");
  readonly status = make("p");
  readonly #player: Player<Settings, Run>;
  readonly #play: HTMLButtonElement;
  readonly #one: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #run: Run | undefined;
  #playing = false;
  /** Settles once all requested steps are done. */
  #last = Promise.resolve();
  #failed = "";

  constructor(player: Player<Settings, Run>) {
    this.#player = player;
    const { text } = player;
    this.#play = makeButton(text.play, () => this.#toggle(), "primary");
    this.#one = makeButton(text.step, () => void this.#work(() => 1));
    this.#again = makeButton(text.again, () => this.#restart());
    this.status.role = "status";
    this.buttons.role = "group";
    this.buttons.ariaLabel = text.title;
    this.buttons.append(this.#play, this.#one, this.#again);
  }

  update(): void {
    // Where a run of other settings was going, one of these goes on.
    if (this.#run && keyOf(this.#run.settings) !== keyOf(this.#player.settings())) this.forget();
    this.#show();
  }

  pause(): void {
    this.#playing = false;
  }

  /** Ends the run: its engine is another, or it starts again. */
  forget(): void {
    this.#run?.end();
    this.#run = undefined;
  }

  #restart(): void {
    this.forget();
    this.#playing = false;
    this.#failed = "";
    this.#show();
  }

  #toggle(): void {
    this.#playing = !this.#playing;
    this.#show();
    if (this.#playing) void this.#go();
  }

  async #go(): Promise<void> {
    while (this.#playing) {
      await this.#work((run) => this.#player.stride(run));
      if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    this.#show();
  }

  /** Takes steps, of a run that is begun where there is none. */
  #work(count: (run: Run) => number): Promise<void> {
    this.#last = this.#last.then(() => this.#step(count));
    return this.#last;
  }

  async #step(count: (run: Run) => number): Promise<void> {
    const { text, engine, settings, begin } = this.#player;
    const current = engine();
    if (!current) {
      this.#playing = false;
      return;
    }
    let run: Run | undefined;
    try {
      this.#failed = "";
      if (!this.#run) {
        this.status.textContent = text.fetching;
        const wanted = settings();
        const begun = await begin(current, wanted);
        if (keyOf(wanted) !== keyOf(settings()) || current !== engine()) {
          begun.end();
          return;
        }
        this.#run = begun;
      }
      run = this.#run;
      const taken = Math.min(count(run), run.total - run.steps);
      if (taken > 0) await run.step(taken);
      if (run.steps >= run.total) this.#playing = false;
    } catch (error) {
      // It was ended while it took a step: the next one is of another run.
      if (run !== undefined && run !== this.#run) return this.#show();
      this.forget();
      this.#playing = false;
      const { code, message } = toFailure(error);
      this.#failed = text.failed(message, code);
    }
    this.#show();
  }

  #show(): void {
    const { text, engine, draw } = this.#player;
    const run = this.#run;
    this.#play.textContent = this.#playing ? text.pause : text.play;
    this.#play.ariaDisabled = this.#one.ariaDisabled = String(run !== undefined && run.steps >= run.total);
    for (const button of [this.#play, this.#one, this.#again]) button.disabled = !engine();
    const said = this.#failed || (run === undefined || run.steps === 0 ? text.ready : text.at(format.count(run.steps), format.count(run.total)));
    if (this.status.textContent !== said) this.status.textContent = said;
    draw(run);
  }
}

const keyOf = (settings: object): string => Object.values(settings).join(" ");
