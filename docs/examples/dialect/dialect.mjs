/**
 * A dialect as a module: a service that wraps its events otherwise. Its bodies are made up: the shape is as some were
 * seen, the content is nobody's.
 */

/** The service's name in header names. */
export const serviceName = "acme";

/** Types of events that the service has and its documentation does not name. */
export const events = ["call.note.created", "call.form.submitted"];

/** Writes an event as the service does. */
export function write({ id, type, organisationId, createdTimestamp, data }) {
  const { call, ...rest } = data;
  return {
    id,
    type,
    version: 2,
    created: new Date(createdTimestamp).toISOString(),
    timestamp: createdTimestamp,
    organisationId,
    data: call === undefined ? rest : { ...rest, call: wrapped(call) },
  };
}

/** Reads a body of the service: returns the event as the simulator writes it. */
export function read({ id, type, organisationId, timestamp, data }) {
  const { call, ...rest } = data;
  return {
    id,
    type,
    organisationId,
    createdTimestamp: timestamp,
    createdAt: new Date(timestamp).toISOString(),
    data: call === undefined ? rest : { ...rest, call: unwrapped(call) },
  };
}

/** Connections stand inside each party, and a dial says directDial. */
function wrapped({ parties, connections, ...call }) {
  return {
    ...call,
    parties: parties.map(({ dials, ...party }) => ({
      ...party,
      dials: dials.map((dial) => ({
        ...dial,
        reason: dial.reason === "direct" ? "directDial" : dial.reason,
      })),
      connections: connections.filter(({ partyId }) => partyId === party.id),
    })),
  };
}

function unwrapped({ parties, ...call }) {
  return {
    ...call,
    parties: parties.map(({ connections: _, dials, ...party }) => ({
      ...party,
      dials: dials.map((dial) => ({
        ...dial,
        reason: dial.reason === "directDial" ? "direct" : dial.reason,
      })),
    })),
    connections: parties
      .flatMap(({ connections }) => connections)
      .sort((a, b) => a.joinedTimestamp - b.joinedTimestamp),
  };
}
