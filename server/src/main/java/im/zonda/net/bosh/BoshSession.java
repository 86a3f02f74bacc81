package im.zonda.net.bosh;

import im.zonda.module.Xep;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The order of the requests and responses of one session (XEP-0124): which request is next, which
/// waits, what is sent again, and what a client may not do. A state machine without streams,
/// threads and clocks; confined to the stream's thread. Times are in ms.
@Xep(
    number = 124,
    version = "1.11.2",
    title = "Bidirectional-streams Over Synchronous HTTP (BOSH)",
    note = "One stream in a session; responses are not compressed")
final class BoshSession {
  /// The most bytes of payloads in one response, unless a single one is larger.
  static final int RESPONSE_BYTES = 262_144;

  /// How often requests may be repeated without a new one between.
  private static final int MAX_REPEATS = 16;

  /// How much earlier than due requests are answered, because sweeps are rare.
  private static final long EARLY_MILLIS = 500;

  /// The time after which an unacknowledged response is reported (section 9.2).
  private static final long REPORT_MILLIS = 1_000;

  /// What uses the session.
  interface Upstream {
    /// Handles a request. Called in the order of the requests.
    void process(BoshRequest request);

    /// Whether the next request can be handled.
    boolean isReady();

    /// The client has the payloads up to that number.
    void received(long number);

    /// The client has broken the rules, or has been silent for too long: the session has ended.
    void lost();

    /// A payload has left with a response, that time after its cause and the request were there, in
    /// ns.
    default void measured(long nanos) {}

    /// Adds what the first response says of the stream.
    void describe(BodyWriter body);
  }

  private final BoshTerms terms;
  private final String sid;
  private final Upstream upstream;
  private final long firstRid;
  private final KeySequence keys = new KeySequence();
  private final SentResponses sent;

  /// Requests that have come and not been handled: one before them is missing, or the stream is
  /// busy.
  private final TreeMap<Long, PendingRequest> early = new TreeMap<>();

  /// Requests that have been handled and wait for their response.
  private final Deque<PendingRequest> held = new ArrayDeque<>();

  private final Deque<Payload> output = new ArrayDeque<>();
  private final WaitingBytes waiting = new WaitingBytes();

  /// The number of the last request that was handled.
  private long handled;

  private int repeats;
  private long lastArrival;
  private long lastResponse;
  private long inactivity;

  /// Whether the last request that was handled was a poll.
  private boolean polled;

  /// The response that the client may have lost, and how long it is on its way; 0 for none.
  private long reported;

  private long reportedTime;

  private boolean ending;
  private @Nullable BoshCondition condition;
  private boolean ended;

  /// @param sid its identifier
  /// @param first the request that creates it, to be given to [#receive] next
  BoshSession(BoshTerms terms, String sid, BoshRequest first, Upstream upstream, long now) {
    this.terms = terms;
    this.sid = sid;
    this.upstream = upstream;
    this.firstRid = first.rid();
    this.handled = first.rid() - 1;
    this.sent = new SentResponses(terms.requests());
    this.inactivity = terms.inactivityMillis();
    this.lastArrival = now - terms.pollingMillis();
    this.lastResponse = now;
  }

  // ---- requests

  /// Takes a request; [#proceed] handles it.
  void receive(BoshRequest request, CompletableFuture<BoshResponse> reply, long now) {
    if (request.rid() <= handled || early.containsKey(request.rid())) {
      repeat(request, reply);
    } else if (ended) {
      reply.complete(BoshResponse.end(terms, BoshCondition.ITEM_NOT_FOUND));
    } else {
      add(new PendingRequest(request, now, reply), now);
    }
  }

  private void repeat(BoshRequest request, CompletableFuture<BoshResponse> reply) {
    String key = request.attribute("key");
    PendingRequest open = early.get(request.rid());
    for (PendingRequest each : held) {
      open = each.rid() == request.rid() ? each : open;
    }
    SentResponses.Sent found = sent.find(request.rid(), key);
    if (++repeats > MAX_REPEATS) {
      violate(BoshCondition.POLICY_VIOLATION, reply);
    } else if (open != null && Objects.equals(open.key(), key)) {
      open.repeated(reply, BoshResponse.of(terms, new BodyWriter().recoverableError().toBytes()));
    } else if (found != null) {
      reply.complete(found.response());
    } else {
      violate(BoshCondition.ITEM_NOT_FOUND, reply);
    }
  }

  private void add(PendingRequest pending, long now) {
    BoshRequest request = pending.request;
    int extra = request.mayBeExtra() ? 1 : 0;
    int open = 1 - extra + held.size();
    for (PendingRequest each : early.values()) {
      open += each.request.mayBeExtra() ? 0 : 1;
    }
    if (request.rid() > handled + terms.requests() + extra) {
      violate(BoshCondition.ITEM_NOT_FOUND, pending);
    } else if (open > terms.requests() || isOveractive(request, open, now)) {
      violate(BoshCondition.POLICY_VIOLATION, pending);
    } else {
      long before = sent.receivedUpTo(receivedBefore(request));
      repeats = 0;
      lastArrival = now;
      inactivity = terms.inactivityMillis();
      early.put(request.rid(), pending);
      if (before > 0) {
        upstream.received(before);
      }
    }
  }

  /// Section 11: a poll, as the last request, uses up those that the client may have open, and
  /// comes too soon after the request before it.
  private boolean isOveractive(BoshRequest request, int open, long now) {
    return !terms.polls()
        && open == terms.requests()
        && request.isPoll()
        && (early.isEmpty() || request.rid() > early.lastKey())
        && now - lastArrival < terms.pollingMillis();
  }

  /// The last request whose response the client is known to have. A new request says that it is
  /// still there: what it has not got it can ask for again.
  private long receivedBefore(BoshRequest request) {
    String ack = request.attribute("ack");
    return terms.acks() && ack != null
        ? BoshRequest.number(ack, BoshRequest.MAX_RID)
        : request.rid() - 1;
  }

  /// Handles the requests that are next.
  void proceed(long now) {
    while (!ended && (ending || upstream.isReady())) {
      PendingRequest next = early.remove(handled + 1);
      if (next == null) {
        return;
      }
      if (ending) {
        handled++;
        held.add(next);
      } else {
        handle(next, now);
      }
    }
  }

  private void handle(PendingRequest pending, long now) {
    BoshRequest request = pending.request;
    boolean isFirst = request.rid() == firstRid;
    if (isFirst) {
      keys.begin(request);
    } else if (!keys.accepts(request)) {
      violate(BoshCondition.ITEM_NOT_FOUND, pending);
      return;
    }
    SentResponses.Sent last = sent.last();
    boolean tooSoon =
        terms.polls()
            && request.isPoll()
            && polled
            && last != null
            && !last.full()
            && pending.arrived - last.time() < terms.pollingMillis();
    if (tooSoon) {
      violate(BoshCondition.POLICY_VIOLATION, pending);
      return;
    }
    handled = request.rid();
    polled = request.isPoll();
    if (request.isPause() && !isFirst) {
      pause(pending, now);
      return;
    }
    checkAcknowledged(request, now);
    held.add(pending);
    upstream.process(request);
  }

  /// Answers what waits (section 10); the response to the pause itself is not kept.
  private void pause(PendingRequest pending, long now) {
    long seconds = BoshRequest.number(pending.request.attribute("pause"), 1_000_000);
    if (seconds < 0 || seconds * 1_000 > terms.maxPauseMillis()) {
      violate(BoshCondition.POLICY_VIOLATION, pending);
      return;
    }
    if (!pending.request.payloads().isEmpty()) {
      upstream.process(pending.request);
    }
    while (!held.isEmpty()) {
      respond(held.remove(), now);
    }
    pending.complete(BoshResponse.of(terms, new BodyWriter().toBytes()));
    lastResponse = now;
    inactivity = seconds * 1_000;
  }

  private void checkAcknowledged(BoshRequest request, long now) {
    String ack = request.attribute("ack");
    if (!terms.acks() || ack == null || request.rid() == firstRid) {
      return;
    }
    long missing = BoshRequest.number(ack, BoshRequest.MAX_RID - 1) + 1;
    SentResponses.Sent lost = sent.find(missing);
    if (lost != null && now - lost.time() >= REPORT_MILLIS) {
      reported = missing;
      reportedTime = now - lost.time();
    }
  }

  // ---- responses

  /// Sends a payload with the next response.
  void send(Payload payload) {
    if (!ended) {
      output.add(payload);
      waiting.add(payload.size());
    }
  }

  /// Whether more waits for a request than a client may leave unread.
  boolean hasTooMuchOutput(int limit) {
    return waiting.exceeds(limit);
  }

  /// The bytes that are kept for the client, in requests and responses.
  long bytes() {
    long sum = waiting.get() + sent.bytes();
    for (PendingRequest each : early.values()) {
      sum += each.request.size();
    }
    return sum;
  }

  boolean hasOutput() {
    return !output.isEmpty();
  }

  /// Forgets what waits.
  void dropOutput() {
    output.clear();
    waiting.clear();
  }

  /// The stream has ended: what waits is sent, with the end of the session.
  ///
  /// @param cause why; null without an error
  void end(@Nullable BoshCondition cause) {
    if (!ending && !ended) {
      ending = true;
      condition = cause;
    }
  }

  /// The client has ended the session: it has what it was sent. Returns the number to report, or 0.
  long lastReceived() {
    return sent.receivedUpTo(Long.MAX_VALUE);
  }

  /// Answers the requests that are due.
  void answer(long now) {
    while (!held.isEmpty() && isDue(held.element(), now)) {
      respond(held.remove(), now);
    }
    if (ended) {
      for (PendingRequest each : early.values()) {
        each.complete(BoshResponse.of(terms, new BodyWriter().toBytes()));
      }
      early.clear();
    }
  }

  private boolean isDue(PendingRequest oldest, long now) {
    return ending
        || ended
        || !output.isEmpty()
        || (held.size() > terms.hold() && !awaitsHeader(oldest))
        || reported != 0
        || now - oldest.arrived >= terms.waitMillis() - EARLY_MILLIS;
  }

  /// The first response says what the stream's header says, which may come from another process.
  private boolean awaitsHeader(PendingRequest pending) {
    return pending.rid() == firstRid && !upstream.isReady();
  }

  private void respond(PendingRequest pending, long now) {
    BodyWriter body = new BodyWriter();
    long number = 0;
    boolean full = !output.isEmpty();
    while (!output.isEmpty()
        && (body.size() == 0 || body.size() + output.element().size() <= RESPONSE_BYTES)) {
      Payload payload = output.remove();
      waiting.remove(payload.size());
      number = Math.max(number, payload.number());
      measure(payload, pending);
      body.payload(payload);
    }
    if (pending.rid() == firstRid && !(ending && condition != null)) {
      describe(body);
    } else if (terms.acks()) {
      long ack = highestReceived();
      body.attribute("ack", ack == pending.rid() ? null : ack);
    }
    if (reported != 0) {
      body.attribute("report", reported).attribute("time", reportedTime);
      reported = 0;
    }
    BoshResponse response;
    if (ending && !ended && output.isEmpty()) {
      ended = true;
      BoshCondition cause = condition;
      body.terminate(cause);
      response =
          terms.legacy() && cause != null && cause.legacyStatus() != 200
              ? BoshResponse.end(terms, cause)
              : BoshResponse.of(terms, body.toBytes());
    } else {
      response = BoshResponse.of(terms, body.toBytes());
    }
    sent.add(new SentResponses.Sent(pending.rid(), pending.key(), response, number, now, full));
    lastResponse = now;
    pending.complete(response);
  }

  /// A payload that has waited for the client's request is measured from then on.
  private void measure(Payload payload, PendingRequest pending) {
    if (payload.since() != 0) {
      long now = System.nanoTime();
      upstream.measured(Math.min(now - payload.since(), now - pending.since));
    }
  }

  private void describe(BodyWriter body) {
    body.attribute("sid", sid)
        .attribute("wait", terms.waitMillis() / 1_000)
        .attribute("requests", terms.requests())
        .attribute("hold", terms.hold())
        .attribute("polling", terms.pollingMillis() / 1_000)
        .attribute("inactivity", terms.inactivityMillis() / 1_000)
        .attribute("maxpause", terms.maxPauseMillis() / 1_000)
        .attribute("ver", terms.version())
        .attribute("ack", terms.acks() ? firstRid : null);
    upstream.describe(body);
  }

  /// The last request before which none is missing.
  private long highestReceived() {
    long rid = handled;
    while (early.containsKey(rid + 1)) {
      rid++;
    }
    return rid;
  }

  // ---- the end

  /// Whether it has ended, and all that it had to say is sent.
  boolean hasEnded() {
    return ended;
  }

  private void violate(BoshCondition cause, PendingRequest pending) {
    pending.complete(BoshResponse.end(terms, cause));
    violated();
  }

  private void violate(BoshCondition cause, CompletableFuture<BoshResponse> reply) {
    reply.complete(BoshResponse.end(terms, cause));
    violated();
  }

  private void violated() {
    boolean before = ended;
    cut(BoshCondition.OTHER_REQUEST);
    if (!before) {
      upstream.lost();
    }
  }

  /// Ends the session at once: all requests get that condition, and what waits is forgotten.
  void cut(BoshCondition cause) {
    ended = true;
    held.forEach(each -> each.complete(BoshResponse.end(terms, cause)));
    early.values().forEach(each -> each.complete(BoshResponse.end(terms, cause)));
    held.clear();
    early.clear();
    dropOutput();
  }

  /// Answers requests whose time is over, and ends the session if its client is gone.
  ///
  /// @return false if the session can be forgotten
  boolean tick(long now) {
    if (!ended) {
      answer(now);
    }
    if (!held.isEmpty() || (!early.isEmpty() && early.firstKey() == handled + 1)) {
      return true; // the client waits for the server
    }
    long allowed = inactivity + (early.isEmpty() ? 0 : terms.waitMillis());
    if (now - Math.max(lastResponse, early.isEmpty() ? 0 : lastArrival) <= allowed) {
      return true;
    }
    boolean before = ended;
    cut(BoshCondition.ITEM_NOT_FOUND);
    if (!before && !ending) {
      upstream.lost();
    }
    return false;
  }

  /// When [#tick] has something to do, if nothing happens before.
  long due() {
    return held.isEmpty()
        ? lastResponse + inactivity
        : held.element().arrived + terms.waitMillis() - EARLY_MILLIS;
  }
}
