/**
 * Controls a real browser by the WebDriver protocol (W3C) of chromedriver, over plain `fetch`, without an npm package.
 * It records errors of the page from before its first byte.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { leaveNone } from './running.ts';

/** The key of an element reference in WebDriver. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A host name that leads to this machine and is not "localhost": what a page does only elsewhere, it does there. */
export const ELSEWHERE = 'todo.example.test';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--window-size=1100,900',
  `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
];

const WATCH = `
  window.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
`;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram);

const driver = onPath('chromedriver');
const binary = process.env['BROWSER'] ?? onPath('chromium') ?? onPath('google-chrome');

/** The reason why no browser is available, or undefined. */
export const whyNot =
  driver !== undefined && binary !== undefined
    ? undefined
    : 'there is no browser: install chromium and chromium-driver, or name a Chromium in BROWSER and have chromedriver on the PATH';

/** The network traffic and the console messages since the last call. */
export interface Traffic {
  readonly requests: readonly string[];
  /** The received bytes, including heads. */
  readonly received: number;
  readonly errors: readonly string[];
}

interface LogEntry {
  readonly level: string;
  readonly message: string;
}

interface NetworkEvent {
  readonly method: string;
  readonly params: { readonly request?: { readonly url: string }; readonly encodedDataLength?: number };
}

export class Browser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #session: string;

  private constructor(process: ChildProcess, profile: string, session: string) {
    this.#process = process;
    this.#profile = profile;
    this.#session = session;
  }

  /** Starts the driver and a browser with a new profile. */
  static async start(): Promise<Browser> {
    const process = spawn(driver!, ['--port=0'], { stdio: ['ignore', 'pipe', 'ignore'] });
    leaveNone(process);
    const port = await new Promise<string>((resolve, reject) => {
      let said = '';
      process.stdout.on('data', (chunk) => {
        said += String(chunk);
        const found = /successfully on port (\d+)/.exec(said);
        if (found) resolve(found[1]!);
      });
      process.on('error', reject).on('exit', () => reject(new Error(`chromedriver ended: ${said}`)));
    });
    const profile = mkdtempSync(join(tmpdir(), 'browser-'));
    const base = `http://127.0.0.1:${port}`;
    const { sessionId } = await command<{ sessionId: string }>('POST', `${base}/session`, {
      capabilities: {
        alwaysMatch: {
          browserName: 'chrome',
          'goog:chromeOptions': { binary, args: [...ARGUMENTS, `--user-data-dir=${profile}`] },
          'goog:loggingPrefs': { browser: 'ALL', performance: 'ALL' },
        },
      },
    });
    const browser = new Browser(process, profile, `${base}/session/${sessionId}`);
    await browser.#tool('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
    return browser;
  }

  async stop(): Promise<void> {
    await command('DELETE', this.#session).catch(() => {});
    const gone = new Promise((resolve) => void this.#process.once('exit', resolve));
    this.#process.kill();
    await gone;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Opens an address with an empty cache. */
  async open(url: string): Promise<void> {
    await this.#tool('Network.clearBrowserCache', {});
    await command('POST', `${this.#session}/url`, { url: 'about:blank' });
    await this.traffic();
    await command('POST', `${this.#session}/url`, { url });
  }

  /** Runs the body of a function in the page. */
  run<Result>(script: string, ...args: readonly unknown[]): Promise<Result> {
    return command('POST', `${this.#session}/execute/sync`, { script, args });
  }

  /** Runs the body of a function in the page until its result is truthy. Rejects after ten seconds. */
  async waitFor<Result>(script: string, ...args: readonly unknown[]): Promise<Result> {
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      const result = await this.run<Result>(script, ...args);
      if (result) return result;
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
    throw new Error(`Not within ten seconds: ${script} ${JSON.stringify(args)}`);
  }

  /** Waits for the first element of a CSS selector and clicks on it. */
  async click(selector: string): Promise<void> {
    await command('POST', `${await this.#element(selector)}/click`, {});
  }

  /** Replaces the text of a field. */
  async type(selector: string, text: string): Promise<void> {
    // Selects the text and replaces it in one step, because the page fills an empty field with its example.
    await this.#element(selector);
    await this.run('const field = document.querySelector(arguments[0]); field.focus(); field.select()', selector);
    await this.#tool('Input.insertText', { text });
  }

  /** Focuses an element and presses a key. `key` is its value in WebDriver. */
  async press(selector: string, key: string): Promise<void> {
    await this.#element(selector);
    await this.run('document.querySelector(arguments[0]).focus()', selector);
    const actions = [
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
    ];
    await command('POST', `${this.#session}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /** Shows the page in a window of this size in pixels, with these media features or for print. */
  async show(width: number, height: number, features: Readonly<Record<string, string>>, media = ''): Promise<void> {
    const mobile = width < 500;
    await this.#tool('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
    await this.#tool('Emulation.setEmulatedMedia', {
      media,
      features: Object.entries(features).map(([name, value]) => ({ name, value })),
    });
  }

  /** Selects a local file in a file input. */
  async choose(selector: string, file: string): Promise<void> {
    await command('POST', `${await this.#element(selector)}/value`, { text: file });
  }

  /** Sets the folder for downloads. */
  async saveTo(downloadPath: string): Promise<void> {
    await this.#tool('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath });
  }

  /** Returns a picture of the window as PNG. */
  async picture(): Promise<Buffer> {
    return Buffer.from(await command<string>('GET', `${this.#session}/screenshot`), 'base64');
  }

  async traffic(): Promise<Traffic> {
    const log = (type: string): Promise<LogEntry[]> => command('POST', `${this.#session}/se/log`, { type });
    const events = (await log('performance')).map(
      ({ message }) => (JSON.parse(message) as { message: NetworkEvent }).message,
    );
    const urls = events
      .filter(({ method }) => method === 'Network.requestWillBeSent')
      .map(({ params }) => params.request!.url);
    const lengths = events
      .filter(({ method }) => method === 'Network.loadingFinished')
      .map(({ params }) => params.encodedDataLength!);
    return {
      requests: urls.filter((url) => /^(?:https?|wss?):/.test(url)),
      received: lengths.reduce((sum, length) => sum + length, 0),
      errors: (await log('browser'))
        .filter(({ level }) => level === 'SEVERE' || level === 'WARNING')
        .map(({ message }) => message),
    };
  }

  /**
   * Checks since the last call that nothing violated the policy, that no other host was requested, and that the console
   * has only `expected` messages. Returns the received bytes.
   */
  async assertClean(origin: string, expected = /^$/): Promise<number> {
    const { requests, received, errors } = await this.traffic();
    const unexpected = errors.filter((line) => !expected.test(line));
    const foreign = requests.filter((url) => !url.startsWith(origin));
    assert.deepEqual([unexpected, foreign, await this.run('return violations')], [[], [], []]);
    assert.ok(requests.length > 0);
    return received;
  }

  async #element(selector: string): Promise<string> {
    const found = await this.waitFor<Record<string, string>>('return document.querySelector(arguments[0])', selector);
    const element = `${this.#session}/element/${found[ELEMENT]}`;
    await this.run('arguments[0].scrollIntoView({ block: "center" })', found);
    return element;
  }

  /** Sends a command to the browser's developer tools. */
  #tool(cmd: string, params: object): Promise<unknown> {
    return command('POST', `${this.#session}/goog/cdp/execute`, { cmd, params });
  }
}

async function command<Result>(method: string, url: string, body?: object): Promise<Result> {
  const reply = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const { value } = (await reply.json()) as { value: Result & { readonly error?: string; readonly message?: string } };
  if (!reply.ok)
    throw new Error(`${value.error}: ${value.message?.split('\n', 1)[0]} (${method} ${url} ${JSON.stringify(body)})`);
  return value;
}
