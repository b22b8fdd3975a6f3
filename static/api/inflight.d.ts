/** Inflight's engine for scripts. The exhibits' own files hold scenarios to begin from. */

/** Loads the engine; call it once, before anything else. */
export default function init(): Promise<void>;

/** A moment or a length: seconds, or a text such as "34.2s" or "5m". */
export type Time = number | string;

/** A scenario in the wire format, as parsed JSON. */
export type Scenario = Record<string, unknown>;

/** An action in the wire format, such as `{ crash: { component: "mailers", instance: 1 } }`; with
 *  `at` it happens then, without it at the playhead. */
export type Intervention = { at?: string } & Record<string, unknown>;

/** What was wrong with a scenario or an intervention: the place as a JSON pointer, and the repair. */
export interface Diagnostic {
  path: string;
  problem: string;
  repair: string;
}

/** Thrown by the constructor, by `intervene` and by `explore`. */
export interface ScenarioError extends Error {
  diagnostics: Diagnostic[];
}

/** One thing that happened. `of` names what it is about, in the order of the trace's text form:
 *  names of components, processes as "mailers.1", numbers of messages from 1. */
export interface TraceEvent {
  at: number;
  is: string;
  of: string[];
}

export type MessageState =
  | "published"
  | "available"
  | "in-flight"
  | "acked"
  | "redelivered"
  | "dead-lettered"
  | "expired";

export interface Message {
  message: number;
  /** The message that this is a copy of. */
  of: number | null;
  key: string | null;
  state: MessageState;
  receives: number;
  effects: number;
  /** The component that has it. */
  in: string | null;
  poison: boolean;
  lost: boolean;
}

export interface Travel {
  message: number;
  is: "request" | "publish" | "delivery" | "call" | "ack";
  from: string;
  to: string;
  process: string | null;
  departed: number;
  arrives: number;
}

/** Everything that is there at one moment. What a component shows depends on its kind: a queue has
 *  `available`, `in_flight` and totals, workers have `instances`, a log has `partitions` and
 *  `groups`. Lists are cut where they are long; totals are not. */
export interface Frame {
  now: number;
  events: number;
  components: Record<string, Record<string, unknown>>;
  messages: Message[];
  travels: Travel[];
}

export interface Finding {
  property: string;
  finding: "holds" | "open" | "broken";
  times: number;
}

/** How far an exploration goes. */
export interface Bounds {
  /** Crashes in one run; 1 if you do not say. */
  crashes?: 1 | 2;
  /** Messages to try, those that are handled first; 5 if you do not say. */
  messages?: number;
  runs?: number;
  /** Events of the calendar in all runs together. */
  states?: number;
  /** How long a process is away whose component does not say, such as "10s". */
  restart_after?: string;
}

/** What came of a run with crashes, compared with the run without: the worst first. "open": the run
 *  was over before that could be said. */
export type Outcome = "lost" | "duplicated" | "reordered" | "stuck" | "open" | "fine";

/** What brings a run about. */
export interface Witness {
  crashes: number;
  /** When the last of its crashes falls, in seconds. */
  at: number;
  message: number | null;
  interventions: Intervention[];
  /** The run as the text of a link or of an element's `run` attribute; null if it is too long. */
  run: string | null;
}

/** What crashes at one border have come to, with one message in hand. */
export interface Cell {
  outcome: Outcome;
  /** The worst that came of another message in the same run. */
  others: Outcome;
  tried: number;
  /** How often the work was done without a crash and with it, where the two differ most. */
  undisturbed: number;
  effects: number;
  /** Properties that the crash has broken. */
  broken: string[];
  /** The limit at which the run ended, if it did. */
  limit: string | null;
  witness: Witness;
}

/** A border of a handler: after a line, by its number from 1 (0: before the first), or during one. */
export interface Border {
  component: string;
  handler: string | null;
  border: "after" | "during";
  line: number;
  label: string;
}

/** The crash matrix: `cells` has a list for each of `rows`, with an entry for each of `messages`. */
export interface Report {
  done: boolean;
  /** The bound at which it stopped, if one did. */
  limit: "runs" | "states" | null;
  runs: number;
  states: number;
  /** Runs that came into a known state and were not computed on. */
  merged: number;
  messages: number[];
  rows: Border[];
  cells: (Cell | null)[][];
  counts: Record<Outcome, number>;
  /** Of each property of the scenario, the shortest run that breaks it. */
  guarantees: { property: string; finding: "holds" | "broken"; witness: Witness | null }[];
  /** The shortest run for each outcome but "fine" that there was. */
  shortest: Partial<Record<Outcome, Witness>>;
}

/** An exploration under way. */
export class Exploration {
  private constructor();
  /** Goes on for about so many states, or to the end; says whether there is more to try. */
  advance(states?: number): boolean;
  /** What has been found so far. */
  report(): Report;
  readonly runs: number;
  readonly states: number;
  readonly done: boolean;
  /** Gives the memory back. */
  free(): void;
}

/** A run of a scenario: the same scenario, seed and interventions always give the same run. */
export class Simulation {
  /** @throws ScenarioError */
  constructor(scenario: Scenario, seed?: string | number);
  /** Computes up to a moment, or to the end, and moves the playhead there; says whether there is more. */
  advance(until?: Time): boolean;
  /** Does something to the run and drops what was computed from then on; says its number.
   *  @throws ScenarioError */
  intervene(action: Intervention): number;
  /** Takes an intervention back. */
  takeBack(number: number): boolean;
  /** The trace from an event on, counted from 0. */
  events(from?: number): TraceEvent[];
  /** The trace as text, a line an event. */
  trace(): string;
  /** What is there at a moment, or at the playhead; moves the playhead. */
  frame(at?: Time): Frame;
  /** Measures of what has been computed, by name. */
  measures(): Record<string, number>;
  /** An exploration of the scenario: what a crash at each border of its handlers costs. Its faults
   *  stay, interventions are left out.
   *  @throws ScenarioError */
  explore(bounds?: Bounds): Exploration;
  /** What came of the scenario's properties. */
  properties(): Finding[];
  readonly seed: string;
  /** The playhead, in seconds. */
  readonly now: number;
  /** The end of the run in seconds; its bound until it is computed. */
  readonly end: number;
  readonly done: boolean;
  /** Gives the memory back. */
  free(): void;
}
