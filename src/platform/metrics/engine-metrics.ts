import { pointOf, type Measurement, type Metrics } from "./metrics.ts";

/**
 * Writes points to Analytics Engine: the name of the measurement is index and `blob1`, its labels are `blob2`…, its
 * numbers `double1`….
 */
export class EngineMetrics implements Metrics {
  readonly #dataset: AnalyticsEngineDataset;

  constructor(dataset: AnalyticsEngineDataset) {
    this.#dataset = dataset;
  }

  write(...measurement: Measurement): void {
    const { name, labels, numbers } = pointOf(...measurement);
    try {
      this.#dataset.writeDataPoint({ indexes: [name], blobs: [name, ...labels], doubles: [...numbers] });
    } catch {
      // Beyond 250 points an invocation the runtime refuses further ones.
    }
  }
}
