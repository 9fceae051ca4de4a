/** Something to wait for, and to let happen: handlers that answer when the test says so. */
export interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
}

export function gate(): Gate {
  let open!: () => void;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}
