package im.zonda.home.request;

import im.zonda.cluster.Member;
import im.zonda.cluster.message.NodeMessage;
import im.zonda.jid.Jid;
import im.zonda.module.Envelope;
import im.zonda.module.Scheduler;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// IQ requests of the server itself that have not been answered: those whose `from` is a host, or
/// the bare address of an account. Safe for use by several threads.
///
/// An answer counts only if it has the identifier of the request and comes from its addressee. How
/// many wait at a time is bounded; when too many do, those on whose behalf more than a few of them
/// were sent get no further one.
public final class ServerRequests {
  /// Requests that each requester may have even when all together are too many.
  public static final int FREE = 4;

  private record Key(@Nullable Jid from, @Nullable Jid to, String id) {
    static Key of(Iq request) {
      return new Key(request.from(), request.to(), request.id());
    }

    static Key ofAnswer(Iq answer) {
      return new Key(answer.to(), answer.from(), answer.id());
    }
  }

  private record Waiting(Jid requester, Consumer<Iq> answered) {}

  private final Routes routes;
  private final Scheduler scheduler;
  private final int most;

  // Guarded by this object's monitor.
  private final Map<Key, Waiting> waiting = new HashMap<>();
  private final Map<Jid, Integer> requesters = new HashMap<>();

  private final RequestsElsewhere elsewhere;

  /// @param most the requests of all requesters together
  /// @param sender reaches the other nodes of the cluster
  public ServerRequests(Routes routes, Scheduler scheduler, int most, NodeMessage.Sender sender) {
    this.routes = routes;
    this.scheduler = scheduler;
    this.most = most;
    this.elsewhere = new RequestsElsewhere(sender);
  }

  /// Sends a request; see [im.zonda.module.ExternalComponents#request].
  public void send(Iq request, Jid requester, Duration patience, Consumer<Iq> answered) {
    Key key = Key.of(request);
    ErrorCondition refused = add(key, new Waiting(requester, answered));
    if (refused != null) {
      answered.accept(Iq.error(request, StanzaError.of(refused)));
      return;
    }
    Scheduler.Cancellable timer =
        scheduler.schedule(
            patience,
            () ->
                answer(
                    key, Iq.error(request, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT))));
    replace(
        key,
        new Waiting(
            requester,
            answer -> {
              timer.cancel();
              answered.accept(answer);
            }));
    elsewhere.sent(request, requester);
    routes.route(Envelope.of(request));
  }

  private synchronized @Nullable ErrorCondition add(Key key, Waiting request) {
    int own = requesters.getOrDefault(request.requester(), 0);
    if (waiting.size() >= most && own >= FREE) {
      return ErrorCondition.RESOURCE_CONSTRAINT;
    }
    if (waiting.putIfAbsent(key, request) != null) {
      return ErrorCondition.CONFLICT;
    }
    requesters.put(request.requester(), own + 1);
    return null;
  }

  private synchronized void replace(Key key, Waiting request) {
    waiting.replace(key, request);
  }

  /// The requester of a request that has not been answered; null if there is no such request.
  public synchronized @Nullable Jid requesterOf(Iq request) {
    Waiting sent = waiting.get(Key.of(request));
    return sent == null ? elsewhere.requesterOf(request) : sent.requester();
  }

  /// Accepts an answer; ignores one that no one waits for. One that another node waits for is sent
  /// there.
  public void accept(Iq answer) {
    if (!elsewhere.accept(answer)) {
      answer(Key.ofAnswer(answer), answer);
    }
  }

  /// Handles a message of another node; ignores those that are not about requests.
  public void receive(Member from, NodeMessage value) {
    Iq answer = elsewhere.receive(from, value);
    if (answer != null) {
      answer(Key.ofAnswer(answer), answer);
    }
  }

  /// These are the nodes of the cluster from now on.
  public void placed(Set<Member> members) {
    elsewhere.retain(members);
  }

  private void answer(Key key, Iq answer) {
    Waiting request = remove(key);
    if (request != null) {
      elsewhere.answered(answer);
      request.answered().accept(answer);
    }
  }

  private synchronized @Nullable Waiting remove(Key key) {
    Waiting request = waiting.remove(key);
    if (request != null) {
      requesters.computeIfPresent(
          request.requester(), (requester, own) -> own == 1 ? null : own - 1);
    }
    return request;
  }

  /// How many wait.
  public synchronized int size() {
    return waiting.size();
  }
}
