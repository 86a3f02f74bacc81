package im.zonda.app.metric;

import im.zonda.metric.Label;
import im.zonda.metric.Meter;
import java.util.List;

/// Definitions of the meters of the server itself. The wiring has where they come from.
public final class ServerMeters {
  private static final Label DIRECTION = Label.of("direction", "in", "out");
  private static final Label CACHE = Label.of("cache");
  private static final Label LOOP = Label.of("loop");

  public static final Meter BUILD =
      Meter.gauge(
          "zonda_build_info",
          "Always 1; the versions are labels",
          Label.of("version"),
          Label.of("java"));

  // ---- people and streams

  public static final Meter ONLINE =
      Meter.gauge("zonda_accounts_online", "Accounts and guests with sessions", Label.HOST);
  public static final Meter SESSIONS =
      Meter.gauge(
          "zonda_sessions",
          "Sessions of clients, with a stream or waiting for one",
          Label.of("state", "online", "detached"));
  public static final Meter SESSION_CHANGES =
      Meter.counter(
          "zonda_session_changes_total",
          "Sessions that lost their stream, got another one, or ended without one",
          Label.of("change", "detached", "resumed", "expired"));
  public static final Meter UNACKNOWLEDGED =
      Meter.gauge("zonda_unacknowledged_bytes", "Stanzas that clients have not acknowledged");
  public static final Meter LOGINS =
      Meter.counter(
          "zonda_logins_total",
          "Attempts to log in with a password or a token",
          Label.of("outcome", "succeeded", "failed"));
  public static final Meter LOGIN =
      Meter.timing(
          "zonda_login_seconds",
          "From the request to authenticate until success, with the time of the client");

  // ---- stanzas

  public static final Meter STANZAS =
      Meter.counter(
          "zonda_stanzas_total",
          "Stanzas of clients",
          Label.of("kind", "message", "presence", "iq"));
  public static final Meter MESSAGES =
      Meter.counter(
          "zonda_messages_total",
          "Messages handed to a session, stored for later, or not stored for want of room",
          Label.of("outcome", "delivered", "stored", "unlogged"));
  public static final Meter REJECTED =
      Meter.counter("zonda_stanzas_rejected_total", "Stanzas answered with an error");
  public static final Meter FAILED =
      Meter.counter("zonda_home_failures_total", "Stanzas whose handling failed");
  public static final Meter MESSAGE =
      Meter.timing(
          "zonda_message_seconds",
          "From the arrival of a message until it was written to a client or an edge (inside), also"
              + " in rooms; from an edge to the client (edge); until it was written to a component or"
              + " another server, with the wait for it; from node to node until confirmed (node,"
              + " every stanza); until it was stored and may be acknowledged",
          Label.of("stage", "inside", "edge", "component", "server", "node", "acknowledged"));
  public static final Meter MAILBOX_WAIT =
      Meter.timing(
          "zonda_mailbox_wait_seconds",
          "From the arrival of a client's stanza until its sender's home takes it");
  public static final Meter MAILBOX_TASKS =
      Meter.gauge("zonda_mailbox_tasks", "Tasks that wait at homes");
  public static final Meter PAUSES =
      Meter.counter(
          "zonda_pauses_total",
          "Streams that were not read for a while: too much waits for the message log, or at a home,"
              + " another server sends more than it may, or a module slows them down",
          Label.of("cause", "log", "home", "rate", "module"));
  public static final Meter TRACE_STEPS =
      Meter.counter(
          "zonda_trace_steps_total",
          "Steps of traced messages, and those of them that the store did not get",
          Label.of("outcome", "noted", "dropped"));
  public static final Meter HOMES =
      Meter.gauge("zonda_homes", "Loaded homes", Label.of("kind", "account", "service"));

  // ---- network

  public static final Meter CONNECTIONS =
      Meter.gauge("zonda_connections", "Open connections of streams");
  public static final Meter CONNECTIONS_TOTAL =
      Meter.counter(
          "zonda_connections_total",
          "Connections of streams",
          Label.of("outcome", "accepted", "refused"));
  public static final Meter BOSH = Meter.gauge("zonda_bosh_sessions", "Open sessions of BOSH");
  public static final Meter NETWORK_BYTES =
      Meter.counter("zonda_network_bytes_total", "Bytes of streams, unencrypted", DIRECTION);
  public static final Meter NETWORK_STANZAS =
      Meter.counter("zonda_network_stanzas_total", "Stanzas of all streams", DIRECTION);
  public static final Meter FLUSHES =
      Meter.counter("zonda_network_flushes_total", "Writes to connections of streams");
  public static final Meter OVERFLOWS =
      Meter.counter(
          "zonda_network_overflows_total", "Connections closed because too much waited for them");
  public static final Meter WAITING =
      Meter.gauge("zonda_network_waiting_bytes", "Bytes that wait for clients to read");

  public static final Meter LOOP_CONNECTIONS =
      Meter.gauge("zonda_loop_connections", "Open connections of an event loop", LOOP);
  public static final Meter LOOP_EVENTS =
      Meter.counter(
          "zonda_loop_events_total", "Events of connections that an event loop handled", LOOP);
  public static final Meter LOOP_BUSY =
      Meter.counter(
          "zonda_loop_busy_seconds_total",
          "Time in which an event loop worked and did not wait, in seconds",
          LOOP);
  public static final Meter LOOP_TASKS =
      Meter.gauge("zonda_loop_tasks", "Tasks that wait for an event loop", LOOP);
  public static final Meter LOOP_LONGEST =
      Meter.gauge(
          "zonda_loop_longest_turn_seconds",
          "The longest turn of an event loop in the last minute, in seconds: its other connections"
              + " waited",
          LOOP);

  // ---- storage

  public static final Meter COMMIT =
      Meter.timing("zonda_log_commit_seconds", "Transactions of the message log");
  public static final Meter LOG_QUEUE =
      Meter.gauge("zonda_log_queue_bytes", "Bytes that wait for a transaction");
  public static final Meter LOG_ENTRIES =
      Meter.counter("zonda_log_entries_total", "Operations of committed transactions");
  public static final Meter LOG_FAILURES =
      Meter.counter("zonda_log_failures_total", "Transactions that failed");
  public static final Meter STORE_OK =
      Meter.gauge("zonda_store_ok", "1 if the database stores, otherwise 0");
  public static final Meter CACHE_HITS =
      Meter.counter("zonda_cache_hits_total", "Look-ups that a cache answered", CACHE);
  public static final Meter CACHE_LOAD =
      Meter.summary(
          "zonda_cache_load_seconds", "Look-ups that a cache read from the database", CACHE);
  public static final Meter CACHE_EVICTIONS =
      Meter.counter(
          "zonda_cache_evictions_total", "Entries removed to keep the bound of a cache", CACHE);
  public static final Meter CACHE_BYTES =
      Meter.gauge("zonda_cache_bytes", "Estimated size of a cache", CACHE);
  public static final Meter CACHE_BOUND =
      Meter.gauge("zonda_cache_bound_bytes", "Most bytes of a cache", CACHE);
  public static final Meter DISK_FREE =
      Meter.gauge("zonda_disk_free_bytes", "Free space where the data folder is");
  public static final Meter DISK =
      Meter.gauge("zonda_disk_bytes", "Size of the disk of the data folder");

  // ---- others

  public static final Meter S2S_LINKS =
      Meter.gauge("zonda_s2s_links", "Pairs of domains with stanzas to or from other servers");
  public static final Meter S2S_QUEUE =
      Meter.gauge("zonda_s2s_queue_bytes", "Stanzas that wait for other servers");
  public static final Meter COMPONENTS =
      Meter.gauge("zonda_components", "External components that are connected");
  public static final Meter EDGES = Meter.gauge("zonda_edges", "Edges that are connected");
  public static final Meter EDGE_STREAMS = Meter.gauge("zonda_edge_streams", "Streams at edges");
  public static final Meter MEMBERS =
      Meter.gauge("zonda_cluster_members", "Members of the cluster");
  public static final Meter SEGMENTS =
      Meter.gauge("zonda_cluster_segments", "Segments of homes on this node");
  public static final Meter FORWARDED =
      Meter.gauge(
          "zonda_cluster_forwarded_stanzas", "Stanzas that homes on other nodes have not handled");
  public static final Meter UNCONFIRMED =
      Meter.gauge("zonda_cluster_unconfirmed_values", "Values that other nodes have not confirmed");
  public static final Meter NODE_FRAMES =
      Meter.counter(
          "zonda_cluster_frames_total", "Frames between this node and the others", DIRECTION);
  public static final Meter NODE_BYTES =
      Meter.counter("zonda_cluster_bytes_total", "Bytes of those frames, unencrypted", DIRECTION);
  public static final Meter CERTIFICATES =
      Meter.gauge(
          "zonda_certificate_expiry_timestamp_seconds",
          "When the certificate of a host ends, in seconds since 1970",
          Label.HOST);

  /// The definitions.
  static final List<Meter> ALL =
      List.of(
          BUILD,
          ONLINE,
          SESSIONS,
          SESSION_CHANGES,
          UNACKNOWLEDGED,
          LOGINS,
          LOGIN,
          STANZAS,
          MESSAGES,
          REJECTED,
          FAILED,
          MESSAGE,
          MAILBOX_WAIT,
          MAILBOX_TASKS,
          PAUSES,
          TRACE_STEPS,
          HOMES,
          CONNECTIONS,
          CONNECTIONS_TOTAL,
          BOSH,
          NETWORK_BYTES,
          NETWORK_STANZAS,
          FLUSHES,
          OVERFLOWS,
          WAITING,
          LOOP_CONNECTIONS,
          LOOP_EVENTS,
          LOOP_BUSY,
          LOOP_TASKS,
          LOOP_LONGEST,
          COMMIT,
          LOG_QUEUE,
          LOG_ENTRIES,
          LOG_FAILURES,
          STORE_OK,
          CACHE_HITS,
          CACHE_LOAD,
          CACHE_EVICTIONS,
          CACHE_BYTES,
          CACHE_BOUND,
          DISK_FREE,
          DISK,
          S2S_LINKS,
          S2S_QUEUE,
          COMPONENTS,
          EDGES,
          EDGE_STREAMS,
          MEMBERS,
          SEGMENTS,
          FORWARDED,
          UNCONFIRMED,
          NODE_FRAMES,
          NODE_BYTES,
          CERTIFICATES);

  private ServerMeters() {}
}
