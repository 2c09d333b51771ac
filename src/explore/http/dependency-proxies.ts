import { untilQuiet } from "../../core/engine/quiet.ts";
import { InputError, readErrorMessage } from "../../core/foundation/errors.ts";
import { omit } from "../../core/foundation/values.ts";
import { ConnectionLost } from "../../core/network/connection-lost.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { HttpClient, neededModule } from "./http-client.ts";
import { WorldAddress } from "./world-address.ts";

/** What happens to a request of a server when its turn comes. */
export interface Turn {
  serve(): Promise<Response>;
  /** Resolves when only virtual time holds the answer back. */
  untilHeld(): Promise<void>;
}

/** Lets a request wait for its turn among all that the server asks. */
type TakeTurn = (request: Request, turn: Turn) => Promise<Response>;

/** Headers that belong to one connection, and the compression of a body, which is passed on as text. */
const ofConnection = [
  ...["host", "connection", "keep-alive", "transfer-encoding", "content-length"],
  "accept-encoding",
];

/** What a dependency is asked, as `fetch` takes it. */
interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
type Client = (url: string, asked: Asked) => Promise<Response>;

/** The dependencies of one server. In each world the server asks for them at the same addresses. */
export class DependencyProxies {
  private readonly proxies: ReadonlyMap<string, DependencyProxy>;

  /** @param urls where each of them is, by name */
  constructor(urls: Readonly<Record<string, string>>) {
    this.proxies = new Map(Object.entries(urls).map(([name, url]) => [name, new DependencyProxy(name, url)]));
  }

  /**
   * Begins a world.
   * @returns the addresses for the server, by name; undefined if there are none
   * @throws {InputError} if nobody listens where one is to be
   */
  async begin(simulator: Simulator, takeTurn: TakeTurn): Promise<Record<string, string> | undefined> {
    if (this.proxies.size === 0) return undefined;
    const addresses: Record<string, string> = {};
    for (const [name, proxy] of this.proxies) addresses[name] = await proxy.begin(simulator, takeTurn);
    return addresses;
  }

  /** How many answers virtual time holds back. */
  get heldCount(): number {
    return [...this.proxies.values()].reduce((sum, { held }) => sum + held, 0);
  }

  /** Ends the world. */
  end(): void {
    for (const proxy of this.proxies.values()) proxy.end();
  }
}

/** One dependency of a server: where it is, and the address at which the server asks for it. */
class DependencyProxy {
  /** How many answers virtual time holds back. */
  held = 0;
  private readonly address = new WorldAddress();
  private readonly client: HttpClient;
  private readonly base: string;
  /** The answers of the dependency itself that are on their way. */
  private readonly sent = new WeakMap<Asked, Promise<unknown>>();

  constructor(
    private readonly name: string,
    private readonly url: string,
  ) {
    this.client = new HttpClient(url);
    const { origin, pathname } = new URL(url);
    this.base = `${origin}${pathname.replace(/\/$/, "")}`;
  }

  async begin(simulator: Simulator, takeTurn: TakeTurn): Promise<string> {
    await mustListen(this.name, this.url);
    this.held = 0;
    // one client for the whole world, as in an app
    const client = simulator.dependency(this.name, this.send);
    return this.address.begin((request) => takeTurn(request, this.makeTurn(request, client)));
  }

  end(): void {
    this.address.end();
    this.client.abort();
  }

  private makeTurn(request: Request, client: Client): Turn {
    let noteHeld = () => {};
    const untilHeld = new Promise<void>((resolve) => {
      noteHeld = resolve;
    });
    const serve = async () => {
      const { pathname, search } = new URL(request.url);
      const headers = omit(Object.fromEntries(request.headers), ...ofConnection);
      const asked: Asked = { method: request.method, headers, body: await request.text() };
      let isOver = false;
      const answer = client(`${this.base}${pathname}${search}`, asked).finally(() => {
        isOver = true;
      });
      const settled = answer.then(
        () => {},
        () => {},
      );
      await Promise.race([settled, this.sent.get(asked) ?? settled]);
      await untilQuiet();
      const isHeld = !isOver;
      if (isHeld) this.held++;
      noteHeld();
      try {
        return await answer;
      } catch {
        // whatever its client would throw: the server's connection breaks
        throw new ConnectionLost("unanswered");
      } finally {
        if (isHeld) this.held--;
      }
    };
    return { serve, untilHeld: () => untilHeld };
  }

  /** Asks the dependency itself. */
  private readonly send: Client = async (url, asked) => {
    const { pathname, search } = new URL(url);
    const sent = this.client.send(`${pathname}${search}`, asked);
    this.sent.set(
      asked,
      sent.catch(() => {}),
    );
    const { status, headers, body } = await sent;
    const hasNoBody = status === 204 || status === 205 || status === 304;
    return new Response(hasNoBody ? null : body, { status, headers: omit(headers, ...ofConnection) });
  };
}

/** @throws {InputError} if nobody listens where a dependency is to be: each world would say that it refuses */
async function mustListen(name: string, url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const { connect } = neededModule<Pick<typeof import("node:net"), "connect">>("node:net");
  const socket = connect(
    Number(port || (protocol === "https:" ? 443 : 80)),
    hostname.replace(/^\[|\]$/g, ""),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
  } catch (error) {
    throw new InputError(["dependencies", name], `nobody listens at ${url}: ${readErrorMessage(error)}`);
  } finally {
    socket.destroy();
  }
}
