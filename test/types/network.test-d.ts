import { describe, expectTypeOf, test } from "vitest";
import {
  type CommandError,
  type Conditions,
  type CreatedWebhook,
  createSimulator,
  type Delivery,
  type EndpointHandler,
  type EndpointRequest,
  type Fault,
  fromFetch,
  type HandlerResult,
  type LoggedEvent,
  type NetworkRequest,
  type OpenApiDocument,
  type RestErrorBody,
  type SignedRequest,
  type TokenResponse,
  uniform,
  type Verification,
  verifySignature,
  type WebhookRecord,
} from "../../src/index.ts";

// parts without a name of their own
type AnswerInput = Extract<HandlerResult, { status?: number; after?: unknown }>;
type DeliveryReason = NonNullable<Delivery["reason"]>;
type DeliveryState = Delivery["state"];
type ErrorDetail = CommandError["details"][number];
type NoAnswerInput = Extract<HandlerResult, { failure: unknown }>;
type OpenApiBody = OpenApiOperation["responses"][string];
type OpenApiOperation = NonNullable<OpenApiDocument["paths"][string]["get"]>;
type OpenApiParameter = NonNullable<OpenApiOperation["parameters"]>[number];
type RequestPurpose = NetworkRequest["why"];
type RestErrorCode = RestErrorBody["code"];

/** Type-checked, never run: endpoints outside, webhooks, and the REST API. */

const sim = createSimulator();

describe("an endpoint", () => {
  test("can be a synchronous or asynchronous function", () => {
    const handler: EndpointHandler = (request) => {
      expectTypeOf(request).toEqualTypeOf<EndpointRequest>();
      return request.headers["content-type"] === "application/json" ? 204 : { status: 415 };
    };
    sim.network.route("https://crm.acme.test", handler);
    sim.network.route("https://crm.acme.test", async () => new Response("Hello"));
    expectTypeOf<EndpointRequest["headers"]>().toEqualTypeOf<Readonly<Record<string, string>>>();
    // @ts-expect-error a status is a number
    sim.network.route("https://crm.acme.test", () => "204");
    // @ts-expect-error a handler answers something
    sim.network.route("https://crm.acme.test", () => {});
  });

  test("can be a fixed answer", () => {
    const answer: AnswerInput = { status: 200, body: { ok: true }, after: "PT2S" };
    sim.network.route("https://crm.acme.test", answer);
    sim.network.route("https://crm.acme.test", 500);
    // @ts-expect-error how long it takes is a duration
    ({ status: 200, after: new Date(0) }) satisfies AnswerInput;
  });

  test("can refuse or time out", () => {
    const silence: NoAnswerInput = { failure: "timeout" };
    expectTypeOf(silence).toExtend<HandlerResult>();
    expectTypeOf<NoAnswerInput["failure"]>().toEqualTypeOf<"refused" | "timeout">();
  });

  test("can be the fetch function of an app", () => {
    expectTypeOf(fromFetch((request) => new Response(request.url))).toEqualTypeOf<EndpointHandler>();
    // @ts-expect-error an app answers with a Response
    fromFetch(() => 200);
  });

  test("can have a fault for a number of requests or a duration", () => {
    const fault: Fault = { status: "refuse", times: 3 };
    sim.network.fault("https://crm.acme.test", fault);
    sim.network.fault("https://crm.acme.test", "timeout");
    sim.network.fault("https://crm.acme.test", { status: 503, for: "PT1M", after: 200 });
    sim.network.fault("https://crm.acme.test", { times: 3 });
    // @ts-expect-error no such failure
    sim.network.fault("https://crm.acme.test", "lost");
  });

  test("can have network conditions", () => {
    const conditions: Conditions = { latency: uniform(20, 200), loss: 0.01, duplicate: 0.1, reorder: 0.5 };
    sim.network.conditions("https://crm.acme.test", conditions);
    sim.network.conditions("https://crm.acme.test", {});
    // @ts-expect-error a probability is a number
    ({ loss: "1%" }) satisfies Conditions;
  });

  test("has requests, whose answer may be null", () => {
    expectTypeOf(sim.network.requests).toEqualTypeOf<readonly NetworkRequest[]>();
    expectTypeOf<NetworkRequest["startedTimestamp"]>().toEqualTypeOf<number>();
    expectTypeOf<NetworkRequest["endedTimestamp"]>().toEqualTypeOf<number | null>();
    const [request] = sim.network.requests;
    // @ts-expect-error the list may be empty
    request.to;
    // @ts-expect-error a request may have no answer
    request?.answer.status;
    expectTypeOf(request?.answer?.status).toEqualTypeOf<number | undefined>();
    expectTypeOf(request?.why).toEqualTypeOf<RequestPurpose | undefined>();
    expectTypeOf<RequestPurpose>().toEqualTypeOf<
      "outboundCall" | "callInsights" | "teamCall" | "inboundConversations" | "return" | "webhook"
    >();
    if (request?.why === "webhook") expectTypeOf(request.failure).toEqualTypeOf<string | null>();
    expectTypeOf<NetworkRequest["problems"]>().toEqualTypeOf<readonly ErrorDetail[]>();
    // @ts-expect-error no request has this purpose
    request?.why === "ping";
  });
});

describe("webhooks", () => {
  test("return their secret only on creation", () => {
    const made = sim.webhooks.create({ url: "https://crm.acme.test/hooks", events: ["call.ended", "*"] });
    expectTypeOf(made).toEqualTypeOf<CreatedWebhook>();
    expectTypeOf(made.signingSecret).toEqualTypeOf<string>();
    expectTypeOf(sim.webhooks.get(made.id)).toEqualTypeOf<WebhookRecord>();
    expectTypeOf(sim.webhooks.update(made.id, { enabled: false })).toEqualTypeOf<WebhookRecord>();
    // @ts-expect-error `events` is required
    sim.webhooks.create({ url: "https://crm.acme.test/hooks" });
    // @ts-expect-error only the creation returns the secret
    sim.webhooks.get(made.id).signingSecret;
  });

  test("have deliveries with a state", () => {
    expectTypeOf(sim.webhooks.deliveries("webhook-1")).toEqualTypeOf<Delivery[]>();
    expectTypeOf(sim.webhooks.delivery("delivery-1")).toEqualTypeOf<Delivery>();
    expectTypeOf<Delivery["event"]>().toEqualTypeOf<LoggedEvent>();
    expectTypeOf<Delivery["state"]>().toEqualTypeOf<DeliveryState>();
    expectTypeOf<DeliveryState>().toEqualTypeOf<"pending" | "delivered" | "givenUp" | "dropped">();
    expectTypeOf<Delivery["reason"]>().toEqualTypeOf<DeliveryReason | null>();
    expectTypeOf<DeliveryReason>().toEqualTypeOf<"rejected" | "exhausted" | "disabled" | "deleted">();
    expectTypeOf<Delivery["attempts"][number]["status"]>().toEqualTypeOf<number | null>();
    expectTypeOf<Delivery["attempts"][number]["endedAt"]>().toEqualTypeOf<string | null>();
  });

  test("are verified by verifySignature", () => {
    const request: SignedRequest = { headers: new Headers(), body: "{}", secret: "s", now: sim.now };
    expectTypeOf(verifySignature(request)).toEqualTypeOf<Verification>();
    verifySignature({
      ...request,
      headers: { "set-cookie": ["a", "b"], host: undefined },
      tolerance: "PT1M",
    });
    expectTypeOf<Verification["valid"]>().toEqualTypeOf<boolean>();
    expectTypeOf<"expired">().toExtend<Verification["reason"]>();
    // @ts-expect-error the app's clock must be said: nothing here reads the real one
    verifySignature({ headers: {}, body: "{}", secret: "s" });
    // @ts-expect-error no such reason
    verifySignature(request).reason === "too_old";
  });
});

describe("the REST API", () => {
  test("has errors with a code, a message and details", () => {
    expectTypeOf<RestErrorBody["code"]>().toEqualTypeOf<RestErrorCode>();
    expectTypeOf<"not_found">().toExtend<RestErrorCode>();
    expectTypeOf<string>().not.toExtend<RestErrorCode>();
    expectTypeOf<RestErrorBody["details"]>().toEqualTypeOf<readonly ErrorDetail[] | undefined>();
    expectTypeOf<ErrorDetail>().toEqualTypeOf<{ readonly path: string; readonly message: string }>();
  });

  test("has a token endpoint with OAuth's answer", () => {
    expectTypeOf<TokenResponse>().toEqualTypeOf<{
      readonly access_token: string;
      readonly token_type: "Bearer";
      readonly expires_in: number;
    }>();
  });

  test("has a document that needs no casts", () => {
    const document = {} as OpenApiDocument;
    const operation = document.paths["/calls"]?.get;
    expectTypeOf(operation).toEqualTypeOf<OpenApiOperation | undefined>();
    expectTypeOf(operation?.parameters).toEqualTypeOf<readonly OpenApiParameter[] | undefined>();
    expectTypeOf<OpenApiParameter["in"]>().toEqualTypeOf<"path" | "query" | "header">();
    expectTypeOf(operation?.responses["200"]).toEqualTypeOf<OpenApiBody | undefined>();
    expectTypeOf<OpenApiOperation["requestBody"]>().toExtend<OpenApiBody | undefined>();
    expectTypeOf(document.webhooks["call.ended"]?.post).toEqualTypeOf<OpenApiOperation | undefined>();
    // @ts-expect-error a path may have no such method
    document.paths["/calls"]?.get.operationId;
  });

  test("accepts a path, a URL or a Request", () => {
    expectTypeOf(sim.fetch("/calls")).resolves.toEqualTypeOf<Response>();
    expectTypeOf(sim.fetch).toBeCallableWith(new URL(sim.urls.api), { method: "GET" });
    expectTypeOf(sim.fetch).toBeCallableWith(new Request("https://api.test"));
    // @ts-expect-error the addresses are the platform's
    sim.urls.api = "https://other.test";
  });
});
