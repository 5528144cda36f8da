const PLAIN_LINE_MS = 5_000;

/** One line that tells how far a command is: kept in place on a terminal, now and then a line of its own elsewhere. */
export interface ProgressLine {
  show(text: string): void;
  /** A line that stays. */
  print(text: string): void;
  end(): void;
}

export function progressLine(): ProgressLine {
  const terminal = process.stderr.isTTY;
  let shownAt = performance.now();
  const clear = () => void (terminal && process.stderr.write("\r\x1b[2K"));
  return {
    show(text) {
      if (terminal) process.stderr.write(`\r\x1b[2K${text}`);
      else if (performance.now() - shownAt >= PLAIN_LINE_MS) {
        process.stderr.write(`${text}\n`);
        shownAt = performance.now();
      }
    },
    print(text) {
      clear();
      console.log(text);
    },
    end: clear,
  };
}
