/** A named protocol test. Enters: a story that throws when it does not hold. Leaves: its outcome. */
export interface ProtocolTest {
  readonly name: string;
  readonly run: () => void;
}

export interface ProtocolResult {
  readonly name: string;
  /** Undefined: it held. */
  readonly trouble: string | undefined;
}

export function runAll(tests: readonly ProtocolTest[]): readonly ProtocolResult[] {
  return tests.map(({ name, run }) => {
    try {
      run();
      return { name, trouble: undefined };
    } catch (error) {
      return { name, trouble: error instanceof Error ? error.message : String(error) };
    }
  });
}
