const PLAIN_LINE_MS = 5_000;

/** A progress line: rewritten in place on a terminal, elsewhere printed every 5 seconds. */
export interface ProgressLine {
  show(text: string): void;
  /** Prints a permanent line. */
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
