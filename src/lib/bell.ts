/** Lets one who waits know that somebody rang, also when that was before the waiting began. */
export class Bell {
  #rung = false;
  #waiting: (() => void)[] = [];

  ring(): void {
    this.#rung = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Whether it was rung since it was last asked. */
  wasRung(): boolean {
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }

  /** Resolves with the next ring, or after so many milliseconds. */
  async next(ms: number): Promise<void> {
    if (this.#rung) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
      this.#waiting.push(resolve);
    });
    clearTimeout(timer);
  }
}
