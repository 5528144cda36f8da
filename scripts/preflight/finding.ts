/** What is wrong, or worth knowing, as one sentence. Only faults fail the run. */
export interface Finding {
  readonly level: "fault" | "note";
  readonly text: string;
}

export const fault = (text: string): Finding => ({ level: "fault", text });
export const note = (text: string): Finding => ({ level: "note", text });
